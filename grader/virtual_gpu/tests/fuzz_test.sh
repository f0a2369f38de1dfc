#!/usr/bin/env bash
# Every input that fuzzing kept is still an error message or a module, under ASan and UBSan.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
here=grader/virtual_gpu/tests/fuzz
work=$build/virtual_gpu/fuzz
mkdir -p "$work/kept"
tar -C "$work/kept" -xzf "$here/corpus.tar.gz"

compiles() {
    local sources
    mapfile -t sources < <(find grader/virtual_gpu -maxdepth 1 -name '*.c' ! -name 'rt_*' ! -name vgpu.c)
    [ "$work/replay" -nt "$build/virtual_gpu/libcudart.so" ] ||
        "$HOST_CC" -g -O1 -std=gnu11 -fsanitize=address,undefined -fno-sanitize-recover=all \
            -I"$CUDA_INCLUDE" -I"$build/virtual_gpu" -o "$work/replay" "$here/ptx_fuzz.c" \
            "$here/replay.c" "${sources[@]}" -lm -lpthread -ldl
}
replays() { find "$work/kept" -type f -print0 | xargs -0 "$work/replay"; }

check "the fuzz target compiles" compiles
check "$(find "$work/kept" -type f | wc -l) kept inputs, no crash" replays

finish
