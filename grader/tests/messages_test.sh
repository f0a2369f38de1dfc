#!/usr/bin/env bash
# What a student reads of every wrong answer: the block of the failing task, as printed on the virtual
# GPU, against grader/tests/messages/HOMEWORK/NAME.txt.
#
# The texts are those that verdicts_test.sh has left; nothing is graded here. After a change of words:
#     grader/tests/verdicts_test.sh; UPDATE=1 grader/tests/messages_test.sh
# and git diff shows what students will read instead.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

build=${BUILD:-build}
messages=grader/tests/messages

expected_of() { echo "$messages/$1/$(basename "$2" .cu).txt"; }
graded_of() { echo "$build/tests/verdicts/$(record_name "$1" "$2").txt"; }

# Which file was graded, and what is said of the failing task: between the banner and the table of
# points.
block_of() {
    head -n 1 "$1"
    sed -e '1,/^$/d' -e '/^──/,$d' "$1" | sed '/^$/d'
}

# Masked are addresses, which differ from run to run, and the figures that follow from the model of
# time or from the compiler's choice of instructions; where those lines break follows from them.
masked_block_of() {
    block_of "$1" | sed 's/0x[0-9a-f]*/0x…/g' | awk '
        function show() {
            if (field == "")
                return
            gsub(/[0-9][0-9.,]*/, "#", field)
            gsub(/# (ns|µs|ms|s) /, "# # ", field)
            print field
            field = ""
        }
        /^[^ ]/ || /^  [a-z]/ { show(); masked = $1 ~ /^(speed|needed|counted|timed)$/ }
        !masked { print; next }
        field == "" { field = $0; next }
        { sub(/^ */, " "); field = field $0 }
        END { show() }'
}

# What verdicts_test.sh does not grade on the device that it has used leaves no text.
not_graded_here() {
    local skeleton
    skeleton=$build/tests/verdicts/$(record_name "$1" "$1/$(topic_of "$1").cu").jsonl
    grep -q '"device_kind":"gpu"' "$skeleton" 2> /dev/null &&
        [[ $(expectation "$2" gpu) == "not checked"* ]]
}

judged_by_the_virtual_gpu() {
    grep -q '"device_kind":"virtual"' "${1%.txt}.jsonl" 2> /dev/null
}

# Texts of an older grader or candidate say nothing of this one.
is_stale() {
    [ "$build/$1/grader" -nt "$3" ] || [ "$(object_of "$2" "$1")" -nt "$3" ]
}

toolkit_of() { sed -n '2s/.*\(CUDA [0-9.]*\).*/\1/p' "$1"; }

# Another toolkit may number lines, count instructions and name errors otherwise: then words count.
words_of() {
    sed -E 's/[0-9][0-9.,]*/#/g; s/cudaError[A-Za-z]+( \([^)]*\))?/cudaError/g' | tr -s '[:space:]' '\n'
}

# same_text EXPECTED GRADED: else a readable difference, - expected, + printed.
same_text() {
    if [ "$(toolkit_of "$2")" = "$(cat "$messages/toolkit.txt")" ]; then
        diff -U 20 "$1" <(masked_block_of "$2") | sed '1,3d'
    else
        diff -U 3 <(words_of < "$1") <(masked_block_of "$2" | words_of) | sed '1,3d'
    fi
    return "${PIPESTATUS[0]}"
}

within_eighty_columns() {
    local line
    while IFS= read -r line; do
        case $line in "  replay "* | "  profile "*) continue ;; esac # to be pasted
        [ ${#line} -le 80 ] || { echo "${#line} columns: $line" && return 1; }
    done < <(block_of "$1" | tail -n +2)
}

# compare_message HOMEWORK FILE
compare_message() {
    local name="$1: what is said of $2" expected graded
    expected=$(expected_of "$1" "$2") graded=$(graded_of "$1" "$2")
    case $(expectation "$2" virtual) in
    "not checked"*)
        if [ -e "$expected" ]; then
            not_ok "$name" "it is not judged on the virtual GPU, and yet there is $expected"
        else
            skip "$name" "it is not judged on the virtual GPU"
        fi
        return
        ;;
    esac
    if not_graded_here "$1" "$2"; then
        skip "$name" "it is compared on the virtual GPU only"
    elif [ ! -e "$graded" ] || is_stale "$1" "$2" "$graded"; then
        not_ok "$name" "verdicts_test.sh has not graded it since it was built"
    elif ! judged_by_the_virtual_gpu "$graded"; then
        skip "$name" "it is compared on the virtual GPU only"
    elif [ -n "${UPDATE:-}" ]; then
        mkdir -p "$(dirname "$expected")"
        masked_block_of "$graded" > "$expected"
        toolkit_of "$graded" > "$messages/toolkit.txt"
        ok "$name is rewritten"
    elif [ ! -e "$expected" ]; then
        not_ok "$name" "there is no $expected: read the text, then UPDATE=1 $0"
    else
        check "$name" same_text "$expected" "$graded"
        check "$name fits into eighty columns" within_eighty_columns "$graded"
    fi
}

# Every expected text belongs to a wrong answer.
for expected in "$messages"/*/*.txt; do
    [ -e "$expected" ] || continue
    homework=$(basename "$(dirname "$expected")")
    [ -e "$homework/wrong/$(basename "$expected" .txt).cu" ] ||
        not_ok "$expected belongs to a wrong answer" "there is no such file in $homework/wrong"
done

for homework in $(chosen_homeworks); do
    for file in $(wrong_answers "$homework"); do
        compare_message "$homework" "$file"
    done
done

finish
