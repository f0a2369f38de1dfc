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
        # shellcheck disable=SC2086 # CCBIN is a list of words
        "$NVCC" $CCBIN -std=c++17 -O1 -gencode arch=compute_80,code=compute_80 -no-compress -c \
            -o "$name" "$source" &
        running=$((running + 1))
        if [ $((running % 2)) -eq 0 ]; then wait -n; fi
    done
    wait
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
while IFS=$'\t' read -r verdict name what; do
    case $verdict in
    same) ok "$name: $what" ;;
    *) not_ok "$name" "$what" ;;
    esac
done < "$objects/compared.tsv"

# A comparison that cannot fail proves nothing: one flipped digit in each column must be found.
finds() {
    local wrong=$objects/wrong.tsv
    sed "$1" "$objects/virtual.tsv" > "$wrong"
    ! cmp -s "$wrong" "$objects/virtual.tsv" || { echo "the fault was not planted" && return 1; }
    "$objects/compare" "$sources/h200.tsv" "$wrong" "$sources/approximate.tsv" |
        grep -q "^differs	$2	"
}
check "a wrong bit is found" finds '/^add\.s32	00000001 /s/.$/e/' add.s32
check "a wrong digest is found" finds '/^fma\.rn\.f32	digest/s/....$/0000/' fma.rn.f32
check "a wrong approximation is found" finds '/^sin\.approx\.f32	3f800000	/s/3f5/3f4/' sin.approx.f32
check "a missing row is found" finds '/^popc\.b32	ffffffff	/d' popc.b32

finish
