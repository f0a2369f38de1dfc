#!/usr/bin/env bash
# Grades one candidate and says whether it got what it must: verdict.sh KIND HOMEWORK FILE
#
# KIND: the device, gpu or virtual. The reference must get full points, the skeleton is not
# attempted, an accepted solution passes, and a wrong answer or cheat gets exactly the verdict and
# the diagnosis in its first line. Prints one line as tap.sh does; the record and the text of the
# grading stay in build/tests/verdicts.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

kind=$1 homework=$2 file=$3
build=${BUILD:-build}
topic=$(topic_of "$homework")
name=$(record_name "$homework" "$file")
record=$build/tests/verdicts/$name.jsonl
text=${record%.jsonl}.txt
read -ra run <<< "${RUN:-}"
mkdir -p "$build/tests/verdicts"

# grade [TASK]: leaves the records and the text; the grader's exit code.
grade() {
    local object
    object=$(object_of "$file" "$homework")
    rm -f "$record"
    timeout 300 "${run[@]}" "$build/$homework/grader" --file="$file" --candidate="$object" \
        --log="${object%.so}.log" --baseline="$build/$homework/baseline.so" --task="${1:-}" \
        --virtual="$build/virtual_gpu" --device="${DEVICE:-auto}" --results="$record" --limit="${limit_s:-}" \
        > "$text" 2>&1
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
grader/tests/accepted/*)
    check "$file is accepted" all_are 0 PASS ;;
*)
    examine_rejected ;;
esac
