#!/usr/bin/env bash
# Every candidate of the tree compiles; what students see compiles without a warning.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

compiled() {
    local object
    object=$(object_of "$1" "$2")
    [ -e "$object" ] || { head -n 8 "${object%.so}.log" && return 1; }
}

# nvcc says nothing at all.
without_warnings() {
    local log
    compiled "$1" "$2" || return 1
    log=$(object_of "$1" "$2")
    log=${log%.so}.log
    [ ! -s "$log" ] || { head -n 8 "$log" && return 1; }
}

for homework in $(chosen_homeworks); do
    topic=$(topic_of "$homework")
    for source in "$homework/$topic.cu" "$homework/${topic}_solution.cu" "$homework/baseline.cu"; do
        check "$source compiles without a warning" without_warnings "$source" "$homework"
    done
    for source in $(accepted_solutions "$homework") $(wrong_answers "$homework"); do
        check "$source compiles" compiled "$source" "$homework"
    done
    for source in $(cheats "$homework"); do
        check "$source compiles for $homework" compiled "$source" "$homework"
    done
done

finish
