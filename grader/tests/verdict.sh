#!/usr/bin/env bash
# Grades one candidate and says whether it got what it must: verdict.sh KIND HOMEWORK FILE
#
# KIND: the device, gpu or virtual. The reference must get full points, the skeleton is not
# attempted, an accepted solution passes, a rung gets what its ladder says in its task and has attempted
# no other, and a wrong answer or cheat gets exactly the verdict and the diagnosis in its first line.
# Prints one line as tap.sh does, and one more of what was graded twice; the record and the text of the
# grading stay in build/tests/verdicts.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh
# shellcheck source=grader/tools/candidate.sh
. grader/tools/candidate.sh

kind=$1 homework=$2 file=$3
build=${BUILD:-build}
topic=$(topic_of "$homework")
name=$(record_name "$homework" "$file")
record=$build/tests/verdicts/$name.jsonl
text=${record%.jsonl}.txt
again=${record%.jsonl}.again
read -ra run <<< "${RUN:-}"
mkdir -p "$build/tests/verdicts"
rm -f "$again"

# grade_once [TASK]: leaves the records and the text; the grader's exit code.
grade_once() {
    local object
    object=$(object_of "$file" "$homework")
    rm -f "$record"
    TASK=${1:-} candidate_options "$file" "$object" "$homework"
    timeout 300 "${run[@]}" "$build/$homework/grader" "${options[@]}" \
        --results="$record" --limit="${limit_s:-}" > "$text" 2>&1
}

# The same; what noise on a GPU left INCONCLUSIVE is graded again, once, as the grader asks for.
grade() {
    local code=0
    grade_once "$@" || code=$?
    if [ "$kind" = gpu ] && grep -qs '"verdict":"INCONCLUSIVE"' "$record"; then
        touch "$again"
        code=0
        grade_once "$@" || code=$?
    fi
    return "$code"
}

# The values of a member, one line a record.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$record"; }

# all_are EXIT VERDICT: every task gets the verdict.
all_are() {
    local code=0 others
    grade || code=$?
    others=$(member verdict | grep -cvx "$2" || true)
    [ "$code" -eq "$1" ] && [ -s "$record" ] && [ "$others" -eq 0 ] && return
    echo "exit $code"
    cat "$text"
    return 1
}

# Every point: a GPU's clock, or the model of one, judges speed.
full_points() {
    local sums
    all_are 0 PASS || return 1
    sums=$(sed -n 's/.*"points":\([0-9]*\),"max_points":\([0-9]*\),.*/\1 \2/p' "$record" |
        awk '{ lost += $2 - $1; possible += $2 } END { print lost " lost of " possible }')
    case $kind:$sums in
    "gpu:0 lost of 100" | "virtual:0 lost of 100") ;;
    *) echo "$sums points" && cat "$text" && return 1 ;;
    esac
}

# is_rejected TASK VERDICT DIAGNOSIS[/DIAGNOSIS]
is_rejected() {
    local limit_s=
    # An endless candidate need not be waited for as long as a student's.
    [ "$2" != "TIMED OUT" ] || limit_s=6
    grade "$1" || true
    [ "$(member verdict)" = "$2" ] && [[ /$3/ = */"$(member diagnosis)"/* ]] && return
    echo "wanted $2 ($3), got $(member verdict) ($(member diagnosis))"
    cat "$text"
    return 1
}

# "hw4.2 TOO SLOW", one a line: what the ladder says of the file on this device.
ladder_says() {
    awk -F '\t' -v file="$file" -v kind="$kind" '$1 == file {
        count = split($3, both, "/")
        print $2, count == 2 && kind == "virtual" ? both[2] : both[1]
    }' "solutions/$homework/ladder.tsv"
}

# is_on_its_ladder OTHERS: graded as a whole, it gets its verdicts there; every other task gets OTHERS, or
# anything if that is empty.
is_on_its_ladder() {
    local wanted complaints
    grade || true
    wanted=$(ladder_says)
    [ -n "$wanted" ] || { echo "no ladder has it" && return 1; }
    [ "$(grep -c . "$record")" -eq "$(task_ids "$homework" | wc -l)" ] || { cat "$text" && return 1; }
    complaints=$(sed 's/.*"task":"\([^"]*\)".*"verdict":"\([^"]*\)".*/\1 \2/' "$record" |
        while read -r task verdict; do
            if grep -q "^$task " <<< "$wanted"; then
                grep -qxF "$task $verdict" <<< "$wanted" ||
                    echo "the ladder says $(grep "^$task " <<< "$wanted"), the grader $verdict"
            elif [ -n "$1" ] && [ "$verdict" != "$1" ]; then
                echo "$task: $verdict instead of $1"
            fi
        done)
    [ -z "$complaints" ] || { echo "$complaints" && cat "$text" && return 1; }
}

examine_rejected() {
    local verdict diagnosis task
    verdict=$(expectation "$file" "$kind" "$homework")
    diagnosis=$(expectation "$file" "${kind}_diagnosis" "$homework")
    task=$(task_of "$file" "$homework")
    case $verdict in
    "not checked"*) skip "$homework: $file" "${verdict#not checked } on this device" ;;
    *) check "$homework: $file gets $verdict, $diagnosis" is_rejected "$task" "$verdict" \
        "$diagnosis" ;;
    esac
}

case $file in
"$homework/${topic}_solution.cu")
    check "$homework: the reference gets full points" full_points ;;
"$homework/$topic.cu")
    check "$homework: the skeleton is not attempted" all_are 1 "NOT ATTEMPTED" ;;
grader/tests/accepted/* | "$(odd_style "$homework")")
    check "$file is accepted" all_are 0 PASS ;;
solutions/*)
    check "$file is as its ladder says" is_on_its_ladder "NOT ATTEMPTED" ;;
"$homework/baseline.cu")
    check "$file is as its ladder says" is_on_its_ladder "" ;;
*)
    examine_rejected ;;
esac
[ ! -e "$again" ] || echo "# $file was INCONCLUSIVE at first, and was graded again"
