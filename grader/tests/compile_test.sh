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

build=${BUILD:-build}

# What a student reads of a file of grader/tests/uncompilable, whose first line says what that must be:
#   // What was done. task=<id or nothing> line=<number or nothing> says=<a part of the text>
refused() {
    local source=$1 object printed wanted
    local expected='^// .* task=([^ ]*) line=([0-9]*) says=(.*)$'
    object=$build/${source%.cu}.so
    grader/tools/compile.sh "$source" "$object" hw1_vector_add > /dev/null 2>&1
    printed=$("$build/hw1_vector_add/grader" --file="$source" --candidate="$object" \
        --log="${object%.so}.log" --device=virtual --virtual="$build/virtual_gpu") && return 1
    [[ $(head -n 1 "$source") =~ $expected ]] || { echo "$source: its first line" && return 1; }
    printed=$(tr -s '[:space:]' ' ' <<< "$printed") # where lines break does not matter
    for wanted in "DOES NOT COMPILE $source${BASH_REMATCH[1]:+ in ${BASH_REMATCH[1]}} nvcc error: " \
        "${BASH_REMATCH[2]:+line ${BASH_REMATCH[2]} }" "${BASH_REMATCH[3]}"; do
        [[ $printed == *"$wanted"* ]] || { echo "no \"$wanted\" in" "$printed" && return 1; }
    done
}

# A file of grader/tests/unloadable compiles, and is of no use all the same: // … says=<a part of the text>
useless() {
    local source=$1 object printed wanted
    wanted=$(sed -n '1s/.* says=//p' "$source")
    object=$build/${source%.cu}.so
    grader/tools/compile.sh "$source" "$object" hw1_vector_add > /dev/null 2>&1
    [ -e "$object" ] || { cat "${object%.so}.log" && return 1; }
    printed=$("$build/hw1_vector_add/grader" --file="$source" --candidate="$object" --task=hw1.2 \
        --log="${object%.so}.log" --device=virtual --virtual="$build/virtual_gpu") && return 1
    printed=$(tr -s '[:space:]' ' ' <<< "$printed")
    [[ $printed == *"DOES NOT COMPILE found $wanted"* ]] ||
        { echo "no \"$wanted\" in" "$printed" && return 1; }
}

# nvcc compiles a file for PTX and for sm_80, and warns in both.
warned_once() {
    local scratch printed warning="is used before its value is set"
    scratch=$(mktemp -d)
    printf 'static __global__ void kernel(int *p)\n{\n    int x;\n    *p = x;\n}\n' > "$scratch/warned.cu"
    printed=$(grader/tools/compile.sh "$scratch/warned.cu" "$build/tests/warned.so" hw1_vector_add)
    rm -r "$scratch"
    echo "$printed"
    [ "$(grep -c "$warning" "$build/tests/warned.log")" -gt 1 ] || return 1
    [ "$(grep -c "$warning" <<< "$printed")" -eq 1 ] || return 1
    ! grep -q "diag-suppress" <<< "$printed"
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

if [ -n "$(chosen_homeworks | sed -n '/^hw1_/p')" ]; then
    check "a warning is printed once, and kept as nvcc says it" warned_once
    for source in grader/tests/uncompilable/*.cu; do
        check "$source is explained" refused "$source"
    done
    for source in grader/tests/unloadable/*.cu; do
        check "$source is explained" useless "$source"
    done
fi

finish
