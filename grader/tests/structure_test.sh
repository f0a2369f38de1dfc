#!/usr/bin/env bash
# Every homework holds the same set of files, and they agree with each other.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

# The parts of a file outside TODO or SOLVED … END.
scaffold() { sed -E '/(TODO|SOLVED)\(hw/,/END\(hw/d' "$1"; }

# The ids of a file's regions, in order.
regions() { grep -oE "$2\(hw[0-9.]+\)" "$1" | grep -oE 'hw[0-9.]+'; }

holds_the_set() {
    local homework=$1 topic
    topic=$(topic_of "$homework")
    for file in README.md "$topic.h" "$topic.cu" "${topic}_solution.cu" baseline.cu grader.c \
        hints.md wrong; do
        [ -e "$homework/$file" ] || { echo "no $homework/$file" && return 1; }
    done
}

same_scaffold() { diff <(scaffold "$1") <(scaffold "$2"); }

same_regions() {
    diff <(regions "$1" TODO) <(regions "$2" SOLVED) && diff <(regions "$1" END) <(regions "$1" TODO)
}

says_id() { grep -qF -- "$2" "$1" || { echo "$1 does not mention $2" && return 1; }; }

has_three_hints() {
    local section
    section=$(sed -n "/^## $2\$/,/^## /p" "$1")
    for level in 1 2 3; do
        grep -qx "### Level $level" <<< "$section" || { echo "no level $level" && return 1; }
    done
}

# Core points sum to 70 + 20 + 10.
points_sum() {
    local sums
    sums=$(grep -oE '\.points = \{[0-9]+, [0-9]+, [0-9]+\}' "$1/grader.c" | grep -oE '[0-9]+, [0-9]+, [0-9]+' |
        awk -F ', ' '{ c += $1; f += $2; s += $3 } END { print c, f, s }')
    [ "$sums" = "70 20 10" ] || { echo "correct, speed, safe sum to $sums" && return 1; }
}

first_line_is_right() {
    local file=$1 diagnosis gpu virtual verdict
    gpu=$(expectation "$file" gpu "$2") || { head -n 1 "$file" && return 1; }
    virtual=$(expectation "$file" virtual "$2")
    case "$gpu/$virtual" in
    "not checked"*/"not checked"*) echo "no device checks it" && return 1 ;;
    esac
    for verdict in "$gpu" "$virtual"; do
        case $verdict in
        "not checked ("*")") ;;
        "not checked"*) echo "\"$verdict\" gives no reason" && return 1 ;;
        *) grep -qF "{\"$verdict\"" grader/verdict.c ||
            { echo "no verdict \"$verdict\"" && return 1; } ;;
        esac
    done
    for diagnosis in $(tr / " " <<< "$(expectation "$file" gpu_diagnosis "$2")") \
        $(tr / " " <<< "$(expectation "$file" virtual_diagnosis "$2")"); do
        grep -qF "\"$diagnosis\"" grader/*.c "$2/grader.c" ||
            { echo "no diagnosis \"$diagnosis\" in the tables" && return 1; }
    done
}

# A diagnosis that no wrong answer produces is untested.
every_lesson_diagnosis_is_tried() {
    local id missing=0
    while IFS= read -r id; do
        grep -qlE "^// .* diagnosis=([a-z0-9|/-]+[|/])?$id([|/][a-z0-9|/-]+)? task" "$1"/wrong/*.cu || { echo "$id" && missing=1; }
    done < <(sed -n '/struct diagnosis/,/^};/s/^ *{"\([a-z0-9-]*\)",.*/\1/p' "$1/grader.c")
    [ $missing -eq 0 ]
}

# functions_with_stream HEADER: those of the contract whose last parameter it is.
functions_with_stream() {
    tr '\n' ' ' < "$1" | grep -oE 'cudaError_t [a-z_0-9]+\([^;]*cudaStream_t stream\);' |
        sed 's/cudaError_t \([a-z_0-9]*\).*/\1/'
}

# A task whose function may ignore the stream: all calls are in the default one. The lesson about
# streams makes its own.
every_stream_matters() {
    local function entry missing=0
    ! grep -rqs cudaStreamCreate "$1/grader.c" "$1/checks" || return 0
    for function in $(functions_with_stream "$1/$2.h"); do
        entry=$(sed -n "/\.function = \"$function\"/,/^    }/p" "$1/grader.c")
        case $entry in
        "" | *".stream_case = "*) ;; # "": no task, but what another needs
        *) echo "$function" && missing=1 ;;
        esac
    done
    [ $missing -eq 0 ]
}

two_more_solutions() { [ "$(accepted_solutions "$1" | wc -l)" -ge 2 ]; }

for homework in $(chosen_homeworks); do
    topic=$(topic_of "$homework")
    skeleton=$homework/$topic.cu solution=$homework/${topic}_solution.cu
    check "$homework holds the set of files" holds_the_set "$homework"
    check "$homework: skeleton and solution share a scaffold" same_scaffold "$skeleton" "$solution"
    check "$homework: the same regions in both" same_regions "$skeleton" "$solution"
    for id in $(task_ids "$homework"); do
        for file in "$skeleton" "$solution" "$homework/README.md" "$homework/$topic.h"; do
            check "$id is in $file" says_id "$file" "$id"
        done
        check "$id has three hints" has_three_hints "$homework/hints.md" "$id"
    done
    check "$homework: the points sum to 100" points_sum "$homework"
    for file in $(wrong_answers "$homework") $(cheats "$homework"); do
        check "$file says what it must get" first_line_is_right "$file" "$homework"
    done
    check "$homework: every diagnosis has a wrong answer" every_lesson_diagnosis_is_tried "$homework"
    check "$homework: every function gets a stream that matters" every_stream_matters "$homework" \
        "$topic"
    check "$homework: two more solutions are accepted" two_more_solutions "$homework"
done

finish
