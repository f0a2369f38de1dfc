#!/usr/bin/env bash
# make hint: prints the level that was asked for and no other, notes it, and answers a wrong task or
# level with a sentence. Tried on a homework of its own, in a folder that goes away.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

hint=$PWD/grader/tools/hint.sh
export BUILD=built
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir hw7_topic hw8_without
cat > hw7_topic/hints.md << 'END'
# Hints

Nothing above the first task is ever shown.

## hw7.1

### Level 1

first nudge

    code of the nudge

### Level 2

first way

### Level 3

first answer

## hw7.10

### Level 1

tenth nudge

### Level 3

tenth answer
END

# says OUTPUT-PATTERN COMMAND…: the command succeeds and one of its lines matches.
says() {
    local pattern=$1 output
    shift
    output=$("$@") && grep -qE -- "$pattern" <<< "$output"
}

# silent_about WORD COMMAND…: succeeds without that word.
silent_about() {
    local word=$1 output
    shift
    output=$("$@") && ! grep -q -- "$word" <<< "$output"
}

# refused PATTERN COMMAND…: exit code 2, nothing on stdout, a line on stderr that matches.
refused() {
    local pattern=$1 code=0 errors
    shift
    errors=$("$@" 2>&1 > stdout) || code=$?
    [ "$code" -eq 2 ] && [ ! -s stdout ] && grep -qE -- "$pattern" <<< "$errors" && return
    echo "exit $code: $errors"
    return 1
}

same_output() { diff <("$hint" hw7_topic "$1" "$2") <("$hint" hw7_topic "$3" "$4"); }
notes_are() { diff "$BUILD/hints/hw7_topic" <(printf '%s\n' "$@"); }

check "level 1 is shown" says '^first nudge$' "$hint" hw7_topic 1 1
check "with the code in it" says '^    code of the nudge$' "$hint" hw7_topic 1 1
check "its heading says which it is" says '^hw7\.1, hint 1 of 3$' "$hint" hw7_topic 1 1
check "without the next level" silent_about way "$hint" hw7_topic 1 1
check "without the answer" silent_about answer "$hint" hw7_topic 1 2
check "without the next task" silent_about tenth "$hint" hw7_topic 1 3
check "without what stands above" silent_about Nothing "$hint" hw7_topic 1 1
check "level 1 names level 2" says 'make hint HW=7 TASK=1 LEVEL=2$' "$hint" hw7_topic 1 1
check "level 2 names level 3" says 'make hint HW=7 TASK=1 LEVEL=3$' "$hint" hw7_topic 1 2
check "level 3 is the last" says 'last hint' "$hint" hw7_topic 1 3
check "no level means level 1" same_output 1 1 1 ''
check "TASK=hw7.1 is TASK=1" same_output 1 1 hw7.1 1
check "TASK=7.1 is TASK=1" same_output 1 1 7.1 1
check "task 10 is not task 1" says '^tenth nudge$' "$hint" hw7_topic 10 1

rm -rf "$BUILD"
"$hint" hw7_topic 1 > /dev/null
"$hint" hw7_topic hw7.1 2 > /dev/null
"$hint" hw7_topic 10 3 > /dev/null
check "what was shown is noted" notes_are 'hw7.1 1' 'hw7.1 2' 'hw7.10 3'
check "an unknown task is refused" refused 'TASK=9: .* no such task' "$hint" hw7_topic 9 1
check "and the tasks are listed" refused 'make hint HW=7 TASK=10$' "$hint" hw7_topic 9 1
check "no task is refused" refused '^A hint for which task' "$hint" hw7_topic '' 1
check "a task of another homework is refused" refused 'no such task' "$hint" hw7_topic 8.1 1
check "a pattern is no task" refused 'no such task' "$hint" hw7_topic '.*' 1
check "level 4 is refused" refused 'LEVEL=4: a level is 1' "$hint" hw7_topic 1 4
check "level 0 is refused" refused 'LEVEL=0: a level is 1' "$hint" hw7_topic 1 0
check "a word is no level" refused 'LEVEL=two: a level is 1' "$hint" hw7_topic 1 two
check "a level without text is refused" refused 'no text for hw7.10, level 2' "$hint" hw7_topic 10 2
check "no homework is refused" refused '^A hint for which homework' "$hint" '' 1 1
check "a homework without hints is refused" refused 'hints.md is missing' "$hint" hw8_without 1 1
check "refused hints are not noted" notes_are 'hw7.1 1' 'hw7.1 2' 'hw7.10 3'

BUILD=/dev/null
check "a tree that cannot be written to still gives hints" says '^first way$' "$hint" hw7_topic 1 2

finish
