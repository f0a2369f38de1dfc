#!/usr/bin/env bash
# The grader on a device: references pass, skeletons are not attempted, every wrong answer and every
# cheat gets exactly its verdict and diagnosis, and other correct solutions are accepted.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

build=${BUILD:-build}
record=$build/tests/record.jsonl
text=$build/tests/verdict.txt
read -ra run <<< "${RUN:-}"
mkdir -p "$build/tests"

# grade HOMEWORK FILE [TASK]: leaves the records and the text; the grader's exit code.
grade() {
    local homework=$1 file=$2 object
    object=$(object_of "$file" "$homework")
    rm -f "$record"
    timeout 300 "${run[@]}" "$build/$homework/grader" --file="$file" --candidate="$object" \
        --log="${object%.so}.log" --baseline="$build/$homework/baseline.so" --task="${3:-}" \
        --virtual="$build/virtual_gpu" --device="${DEVICE:-auto}" --results="$record" --limit="${limit_s:-}" \
        > "$text" 2>&1
}

# The values of a member, one line a record.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$record"; }

# all_are HOMEWORK FILE EXIT VERDICT: every task gets the verdict.
all_are() {
    local code=0 others
    grade "$1" "$2" || code=$?
    others=$(member verdict | grep -cvx "$4" || true)
    [ "$code" -eq "$3" ] && [ -s "$record" ] && [ "$others" -eq 0 ] && return
    echo "exit $code"
    cat "$text"
    return 1
}

# Every point that this device can judge: 100 on a GPU, 80 where speed is not judged.
full_points() {
    local sums
    all_are "$1" "$2" 0 PASS || return 1
    sums=$(sed -n 's/.*"points":\([0-9]*\),"max_points":\([0-9]*\),.*/\1 \2/p' "$record" |
        awk '{ earned += $1; possible += $2 } END { print earned "/" possible }')
    case $kind:$sums in
    gpu:100/100 | virtual:80/80 | virtual:100/100) ;;
    *) echo "$sums points" && cat "$text" && return 1 ;;
    esac
}

# An endless candidate need not be waited for as long as a student's.
limit_for() { [ "$1" != "TIMED OUT" ] || echo 6; }

# is_rejected HOMEWORK FILE TASK VERDICT DIAGNOSIS
is_rejected() {
    local limit_s
    limit_s=$(limit_for "$4")
    grade "$1" "$2" "$3" || true
    [ "$(member verdict)" = "$4" ] && [ "$(member diagnosis)" = "$5" ] && return
    echo "wanted $4 ($5), got $(member verdict) ($(member diagnosis))"
    cat "$text"
    return 1
}

kind=none
kind_of_device() {
    local homework=$1
    grade "$homework" "$homework/$(topic_of "$homework").cu" || [ $? -ne 77 ] || return 0
    kind=$(member device_kind | head -n 1)
}

no_device="there is no device to run it on"
for homework in $(chosen_homeworks); do
    topic=$(topic_of "$homework")
    [ "$kind" != none ] || kind_of_device "$homework"
    if [ "$kind" = none ]; then
        for file in "$homework/${topic}_solution.cu" "$homework/$topic.cu" \
            $(accepted_solutions "$homework") $(wrong_answers "$homework") $(cheats "$homework"); do
            skip "verdicts of $homework: $file" "$no_device"
        done
        continue
    fi
    check "$homework: the reference gets full points" full_points "$homework" \
        "$homework/${topic}_solution.cu"
    check "$homework: the skeleton is not attempted" all_are "$homework" "$homework/$topic.cu" 1 \
        "NOT ATTEMPTED"
    for file in $(accepted_solutions "$homework"); do
        check "$file is accepted" all_are "$homework" "$file" 0 PASS
    done
    for file in $(wrong_answers "$homework") $(cheats "$homework"); do
        verdict=$(expectation "$file" "$kind") diagnosis=$(expectation "$file" "${kind}_diagnosis")
        task=$(expectation "$file" task)
        [ "$task" != any ] || task=$(task_ids "$homework" | head -n 1)
        case $verdict in
        "not checked"*) skip "$homework: $file" "${verdict#not checked } on this device" ;;
        *) check "$homework: $file gets $verdict, $diagnosis" is_rejected "$homework" "$file" \
            "$task" "$verdict" "$diagnosis" ;;
        esac
    done
done

finish
