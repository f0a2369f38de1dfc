#!/usr/bin/env bash
# The grader on a device: references pass, skeletons are not attempted, every wrong answer and every
# cheat gets exactly its verdict and diagnosis, rungs get what their ladder says, and other correct
# solutions are accepted.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

build=${BUILD:-build}
results=$build/tests/verdict_lines
rm -rf "$results" "$results.together" "$results.alone"
mkdir -p "$results"

# "gpu", "virtual" or "none", by the skeleton of the first homework.
kind_of_device() {
    local homework topic
    homework=$(chosen_homeworks | head -n 1)
    topic=$(topic_of "$homework")
    grader/tests/verdict.sh any "$homework" "$homework/$topic.cu" > /dev/null
    sed -n 's/.*"device_kind":"\([a-z]*\)".*/\1/p' \
        "$build/tests/verdicts/$(record_name "$homework" "$homework/$topic.cu").jsonl" | head -n 1
}

# "HOMEWORK FILE" of everything that is graded, one a line.
candidates() {
    local homework topic
    for homework in $(chosen_homeworks); do
        topic=$(topic_of "$homework")
        {
            printf '%s\n' "$homework/${topic}_solution.cu" "$homework/$topic.cu"
            accepted_solutions "$homework"
            odd_style "$homework"
            rungs "$homework"
            baseline_on_a_ladder "$homework"
            wrong_answers "$homework"
            cheats "$homework"
        } | sed "s,^,$homework ,"
    done
}

kind=$(kind_of_device || true)
case $kind in
gpu | virtual) ;;
*)
    while read -r homework file; do
        skip "verdicts of $homework: $file" "there is no device to run it on"
    done < <(candidates)
    finish
    exit
    ;;
esac

# What a GPU times, blocks or fills would disturb the others.
needs_the_device_alone() {
    [ "$kind" = gpu ] || return 1
    case $1 in
    *memory*) return 0 ;;
    *wrong/* | *cheats/*) ;;
    *) return 0 ;;
    esac
    case $(head -n 1 "$1") in
    *"gpu=TOO SLOW"* | *gpu=INEFFICIENT* | *gpu=INCONCLUSIVE* | *"gpu=TIMED OUT"* | *wrong-when-timed*) return 0 ;;
    esac
    return 1
}

# Each in a process of its own; the lines of one stay together, in the order of the list.
number=0
while read -r homework file; do
    number=$((number + 1))
    list=$results.together
    if needs_the_device_alone "$file"; then list=$results.alone; fi
    printf '%s %s %05d\n' "$homework" "$file" "$number" >> "$list"
done < <(candidates)
# More graders at a time would make each other slow: they share one GPU.
at_once=$(nproc)
if [ "$kind" = gpu ] && [ "$at_once" -gt 6 ]; then at_once=6; fi

examine() {
    xargs -r -P "$1" -L 1 bash -c \
        "grader/tests/verdict.sh $kind \"\$0\" \"\$1\" > $results/\$2 2>&1 || true"
}
[ ! -e "$results.together" ] || examine "$at_once" < "$results.together"
[ ! -e "$results.alone" ] || examine 1 < "$results.alone"

for lines in "$results"/*; do
    case $(head -n 1 "$lines") in
    "ok - "*) passed=$((passed + 1)) ;;
    "skip - "*) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
    cat "$lines"
done
[ "$(find "$results" -type f | wc -l)" -eq "$(candidates | wc -l)" ] ||
    not_ok "every candidate was examined" "$(candidates | wc -l) were listed"
finish
