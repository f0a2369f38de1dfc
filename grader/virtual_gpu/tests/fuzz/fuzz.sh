#!/usr/bin/env bash
# Looks for PTX that crashes the parser or the decoder: fuzz.sh SECONDS
#
# Needs clang with libFuzzer (Debian: clang libclang-rt-14-dev). New inputs go to
# build/virtual_gpu/fuzz; those that reach new code are merged into corpus.tar.gz by fuzz.sh merge.
set -euo pipefail

here=grader/virtual_gpu/tests/fuzz
build=${BUILD:-build}
work=$build/virtual_gpu/fuzz
# shellcheck source=/dev/null
. "$build/toolchain"
mkdir -p "$work/found"
mapfile -t sources < <(find grader/virtual_gpu -maxdepth 1 -name '*.c' ! -name 'rt_*' ! -name vgpu.c)
clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I"$CUDA_INCLUDE" \
    -I"$build/virtual_gpu" -o "$work/fuzz" "$here/ptx_fuzz.c" "${sources[@]}" -lm -lpthread -ldl
mkdir -p "$work/kept"
tar -C "$work/kept" -xzf "$here/corpus.tar.gz"
if [ "${1:?usage: fuzz.sh SECONDS, or fuzz.sh merge}" = merge ]; then
    "$work/fuzz" -merge=1 -max_len=4096 "$work/kept" "$work/found"
    tar -C "$work/kept" --sort=name -czf "$here/corpus.tar.gz" .
else
    "$work/fuzz" -max_total_time="$1" -max_len=4096 -timeout=10 -print_final_stats=1 \
        "$work/found" "$work/kept"
fi
