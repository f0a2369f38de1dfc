#!/usr/bin/env bash
# Prints one hint: hint.sh HOMEWORK TASK [LEVEL]    hint.sh hw4_reduction 2 1
#
# Hints stand in HOMEWORK/hints.md, under "## hw4.2" and "### Level 1" to "### Level 3". What was
# shown is noted in build/hints/HOMEWORK, one line "hw4.2 1" each time, because the result record
# says how much help a task took. Exit code: 0, or 2 with a sentence on stderr.
set -euo pipefail

homework=${1:-} task=${2:-} level=${3:-1}
levels=3
notes=${BUILD:-build}/hints/$homework
hints=$homework/hints.md
prefix=${homework%%_*} # hw4
number=${prefix#hw}

refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

# The tasks that have hints, one a line: hw4.1
tasks() { sed -n 's/^## \(hw[0-9]*\.[0-9]*\) *$/\1/p' "$hints"; }

# The lines under "## TASK" and "### Level LEVEL", without blank lines around them.
section() {
    awk -v task="## $1" -v level="### Level $2" '
        /^## /  { in_task = ($0 == task) }
        /^##/   { in_level = (in_task && $0 == level); next }
        !in_level { next }
        NF      { printf "%s%s\n", gap, $0; gap = ""; shown = 1; next }
        shown   { gap = gap "\n" }' "$hints"
}

[ -n "$homework" ] ||
    refuse "A hint for which homework? For example: make hint HW=1 TASK=1"
[ -r "$hints" ] || refuse "$hints is missing or cannot be read, so there are no hints."

chosen=$prefix.${task##*.}
case $task in
"")
    refuse "A hint for which task of $homework? It has hints for" \
        "$(tasks | sed "s/^$prefix\.\(.*\)/  make hint HW=$number TASK=\1/")" ;;
"${chosen##*.}" | "$number.${chosen##*.}" | "$chosen") ;;
*) chosen= ;;
esac
grep -qxF -- "${chosen:-none}" <<< "$(tasks)" ||
    refuse "TASK=$task: $homework has no such task. It has hints for" \
        "$(tasks | sed "s/^$prefix\.\(.*\)/  make hint HW=$number TASK=\1/")"
[[ $level =~ ^[1-$levels]$ ]] ||
    refuse "LEVEL=$level: a level is 1 (a nudge), 2 (the way) or 3 (nearly the answer)."

text=$(section "$chosen" "$level")
[ -n "$text" ] || refuse "$hints has no text for $chosen, level $level."

printf '%s, hint %s of %s\n\n%s\n\n' "$chosen" "$level" "$levels" "$text"
if [ "$level" -lt "$levels" ]; then
    echo "If that is not enough: make hint HW=$number TASK=${chosen##*.} LEVEL=$((level + 1))"
else
    echo "That is the last hint for $chosen. When it passes: make grade HW=$number"
fi

# The hint is worth more than the note about it: a tree that cannot be written to is no reason.
if ! { mkdir -p "${notes%/*}" && echo "$chosen $level" >> "$notes"; } 2> /dev/null; then
    echo "(not noted: $notes cannot be written)" >&2
fi
