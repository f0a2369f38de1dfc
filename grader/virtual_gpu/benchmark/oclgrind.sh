#!/usr/bin/env bash
# The virtual GPU beside oclgrind, a simulator of OpenCL devices with similar checks: the same two
# kernels, the whole process each, all checks on. Prints CPU seconds (user and system) and the ratio.
# Exit code 1: less than 100 times the CPU time, a wrong result, or a report. Debian's packages:
# oclgrind, opencl-headers, ocl-icd-opencl-dev.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.."

if ! command -v oclgrind > /dev/null; then
    echo "skipped: oclgrind is not installed (apt-get install oclgrind opencl-headers ocl-icd-opencl-dev)"
    exit 0
fi

ratio_gate=100
build=${BUILD:-build}
[ -e "$build/virtual_gpu/libcudart.so" ] || {
    echo "make $build/virtual_gpu/libcudart.so first" >&2
    exit 2
}
# shellcheck source=/dev/null
. "$build/toolchain"
sources=grader/virtual_gpu/benchmark
programs=$build/virtual_gpu/benchmark/beside_oclgrind
mkdir -p "$programs"

"$HOST_CC" -std=c11 -O2 -Wall -Wextra -Werror -o "$programs/host" "$sources/oclgrind/host.c" -lOpenCL
for program in vector_add matrix_multiply; do
    # shellcheck disable=SC2086 # CCBIN is a list of words
    "$NVCC" $CCBIN -std=c++17 -O3 -lineinfo -no-compress -cudart shared \
        -gencode 'arch=compute_80,code=[compute_80,sm_80]' -DMATRIX_ORDER=128 \
        -DBENCHMARK_LAUNCHES=1 -o "$programs/$program" "$sources/$program.cu" -ldl
done

# shellcheck disable=SC2317 # called by name
theirs() {
    oclgrind --data-races --uninitialized "$programs/host" "$sources/oclgrind/kernels.cl" "$@"
}
# shellcheck disable=SC2317
ours() {
    LD_LIBRARY_PATH="$build/virtual_gpu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$programs/$1"
}

# cpu_seconds COMMAND…: of one run, which must succeed and report nothing
cpu_seconds() {
    local times TIMEFORMAT='%U %S'
    times=$({ time "$@" > "$programs/output" 2> "$programs/reports"; } 2>&1) || {
        echo "failed: $*" >&2 && return 1
    }
    [ ! -s "$programs/reports" ] || { head -n 3 "$programs/reports" >&2 && return 1; }
    awk '{ print $1 + $2 }' <<< "$times"
}

# The best of three
cpu_seconds_of_three() {
    local seconds
    for _ in 1 2 3; do
        seconds=$(cpu_seconds "$@") || return 1
        echo "$seconds"
    done | sort -g | head -n 1
}

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "CPU seconds of a process, best of three, on ${processor:-an unnamed processor},"
echo "$(date '+%-d %B %Y'); oclgrind: $(oclgrind --version | grep -o '[0-9.]*' | head -n 1)" \
    "with --data-races --uninitialized"
echo
line='%-34s %12s %12s %8s\n'
# shellcheck disable=SC2059 # one format for all lines
printf "$line" "kernel" "oclgrind" "virtual GPU" "ratio"
failed=0
while IFS='|' read -r program size what; do
    their_s=$(cpu_seconds_of_three theirs "$program" "$size")
    our_s=$(cpu_seconds_of_three ours "$program")
    ratio=$(awk -v t="$their_s" -v o="$our_s" 'BEGIN { printf "%.0f", t / o }')
    # shellcheck disable=SC2059
    printf "$line" "$what" "$their_s" "$our_s" "$ratio"
    [ "$ratio" -ge "$ratio_gate" ] || failed=1
done << 'KERNELS'
vector_add|1048576|vector add 2^20
matrix_multiply|128|matrix multiply 128 x 128, tiled
KERNELS
[ "$failed" -eq 0 ] || echo "Less than $ratio_gate times."
exit "$failed"
