#!/usr/bin/env bash
# Every instruction gives on the virtual GPU what an H200 gave: a program that executes each form of
# each instruction on edge inputs runs on the virtual GPU, and its table is compared, to the bit,
# with the recorded one (approximate instructions: within the bounds of approximate.tsv).
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
sources=grader/virtual_gpu/tests/instructions
objects=$build/virtual_gpu/instructions
library=$build/virtual_gpu/libcudart.so
mkdir -p "$objects"

# is_newer FILE SOURCE…: FILE exists and is newer than every source.
is_newer() {
    local file=$1 source
    shift
    [ -e "$file" ] || return 1
    for source; do
        [ "$file" -nt "$source" ] || return 1
    done
}

# PTX alone: the virtual GPU executes nothing else. Two compilers at a time.
compile() {
    local source name running=0
    for source in "$sources"/*.cu; do
        name=$objects/$(basename "$source" .cu).o
        is_newer "$name" "$source" "$sources"/*.h "$build/toolchain" && continue
        rm -f "$name" # or a failure would go unnoticed
        # shellcheck disable=SC2086 # CCBIN is a list of words
        "$NVCC" $CCBIN -std=c++17 -O1 -gencode arch=compute_80,code=compute_80 -no-compress -c \
            -o "$name" "$source" &
        running=$((running + 1))
        if [ $((running % 2)) -eq 0 ]; then wait -n; fi
    done
    wait
    for source in "$sources"/*.cu; do
        [ -e "$objects/$(basename "$source" .cu).o" ] || return 1
    done
    is_newer "$objects/compare" "$sources/compare.c" ||
        "$HOST_CC" -std=gnu11 -O2 -Wall -Wextra -Werror -o "$objects/compare" "$sources/compare.c" -lm
    # shellcheck disable=SC2086
    "$NVCC" $CCBIN -cudart shared -o "$objects/instructions" "$objects"/*.o
}

check "the programs compile" compile
if [ "$failed" -gt 0 ] || [ ! -e "$library" ]; then
    [ -e "$library" ] || not_ok "the virtual GPU is built" "make $library"
    finish
    exit
fi

# Every case runs: a mnemonic that the virtual GPU does not have would be missing from its table.
runs() {
    LD_LIBRARY_PATH=$build/virtual_gpu "$objects/instructions" \
        > "$objects/virtual.tsv" 2> "$objects/virtual.log" && return
    grep -E '^instructions: |needs a GPU' "$objects/virtual.log" | head -n 20
    return 1
}
check "every case executes" runs

"$objects/compare" "$sources/h200.tsv" "$objects/virtual.tsv" "$sources/approximate.tsv" \
    > "$objects/compared.tsv"
declare -A known=()
while IFS=$'\t' read -r name reason; do
    known[$name]=$reason
done < <(grep -v '^#' "$sources/known_differences.tsv")
while IFS=$'\t' read -r verdict name what; do
    case $verdict${known[$name]+ known} in
    same) ok "$name: $what" ;;
    'differs known') ok "$name differs as it must: ${known[$name]}" ;;
    'same known') not_ok "$name" "no longer differs: take it out of known_differences.tsv" ;;
    *) not_ok "$name" "$what" ;;
    esac
done < "$objects/compared.tsv"

# A comparison that cannot fail proves nothing: one flipped digit in each column must be found.
tab=$'\t'
finds() {
    local wrong=$objects/wrong.tsv
    sed "$1" "$objects/virtual.tsv" > "$wrong"
    ! cmp -s "$wrong" "$objects/virtual.tsv" || { echo "the fault was not planted" && return 1; }
    "$objects/compare" "$sources/h200.tsv" "$wrong" "$sources/approximate.tsv" > "$wrong.compared"
    grep -q "^differs$tab$2$tab" "$wrong.compared"
}
check "a wrong bit is found" finds "/^add\.s32${tab}01000000 /s/.\$/e/" add.s32
check "a wrong digest is found" finds "/^fma\.rn\.f32${tab}digest/s/....\$/0000/" fma.rn.f32
check "a wrong approximation is found" finds "/^sin\.approx\.f32${tab}3f800000/s/3f5/3f4/" sin.approx.f32
check "a missing row is found" finds "/^popc\.b32${tab}ffffffff/d" popc.b32

finish
