#!/usr/bin/env bash
# Speed of the virtual GPU, in millions of thread instructions (of PTX) a second of CPU time on one
# core, with all checks and with VGPU_CHECKS=off. Exit code 1: below a gate with all checks on, a
# wrong result, or a finding. What is measured depends on the machine; the gates do not.
#
# Every program launches its kernel three times. "First" is the first launch, which also reads the
# PTX and touches fresh memory; the other columns are the best of the three.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.."

build=${BUILD:-build}
[ -e "$build/virtual_gpu/libcudart.so" ] || {
    echo "make $build/virtual_gpu/libcudart.so first" >&2
    exit 2
}
# shellcheck source=/dev/null
. "$build/toolchain"
sources=grader/virtual_gpu/benchmark
programs=$build/virtual_gpu/benchmark
mkdir -p "$programs"

# program, what it does, gate in M/s with all checks on (0: none)
kernels=(
    "matrix_multiply|matrix multiply 512 x 512, tiled|300"
    "vector_add|vector add 2^20|500"
    "tree_reduction|tree reduction 2^20|0"
    "shuffle_reduction|shuffle reduction 2^20|0"
    "transpose|transpose 1024 x 1024, tiled|0"
)

# As a candidate is compiled
compile() {
    local source=$sources/$1.cu program=$programs/$1
    if [ "$program" -nt "$source" ] && [ "$program" -nt "$sources/benchmark.h" ] &&
        [ "$program" -nt grader/virtual_gpu/vgpu.h ] &&
        [ "$program" -nt "$build/toolchain" ]; then return; fi
    # shellcheck disable=SC2086 # CCBIN is a list of words
    "$NVCC" $CCBIN -std=c++17 -O3 -lineinfo -no-compress -cudart shared \
        -gencode 'arch=compute_80,code=[compute_80,sm_80]' -o "$program" "$source" -ldl
}

# measure CHECKS PROGRAM: thread instructions, CPU seconds of the first and the best launch, findings
measure() {
    VGPU_CHECKS=$1 LD_LIBRARY_PATH="$build/virtual_gpu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        timeout 120 "$programs/$2"
}

# rate INSTRUCTIONS SECONDS: in millions a second
rate() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.0f", n / s / 1e6 }'; }

for row in "${kernels[@]}"; do compile "${row%%|*}"; done

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "Virtual GPU on one core of ${processor:-an unnamed processor}, $(date '+%-d %B %Y')"
echo "Millions of thread instructions a second of CPU time; it depends on the machine."
echo
line='%-34s %8s %7s %7s %7s  %s\n'
echo "                                     instr.  checks  checks  checks"
# shellcheck disable=SC2059 # one format for all lines
printf "$line" kernel millions on first off gate
failed=0
for row in "${kernels[@]}"; do
    IFS='|' read -r program what gate <<< "$row"
    if ! checked=$(measure on "$program") || ! unchecked=$(measure off "$program"); then
        echo "$what: failed"
        failed=1
        continue
    fi
    read -r instructions first best findings <<< "$checked"
    read -r _ _ unchecked _ <<< "$unchecked"
    on=$(rate "$instructions" "$best")
    judged=none
    if [ "$gate" -gt 0 ] && [ "$on" -ge "$gate" ]; then judged="$gate met"; fi
    if [ "$gate" -gt 0 ] && [ "$on" -lt "$gate" ]; then judged="$gate MISSED" failed=1; fi
    if [ "$findings" -gt 0 ]; then judged="$findings findings" failed=1; fi
    # shellcheck disable=SC2059
    printf "$line" "$what" "$(rate "$instructions" 1)" "$on" "$(rate "$instructions" "$first")" \
        "$(rate "$instructions" "$unchecked")" "$judged"
done
[ "$failed" -eq 0 ] || echo "Below a gate, wrong, or with a finding: see above."
exit "$failed"
