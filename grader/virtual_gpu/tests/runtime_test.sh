#!/usr/bin/env bash
# The runtime API of the virtual GPU: runtime_test.sh
#
# Programs of this folder are compiled by nvcc, linked with the toolkit's own shared runtime and
# run with build/virtual_gpu first on the library path, as any program of a student's would be.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../../.." && pwd)
# shellcheck source=grader/tests/tap.sh
. "$root/grader/tests/tap.sh"
cd "$root"

build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
library=$(cd -- "$build/virtual_gpu" && pwd)
scratch=$build/virtual_gpu/tests
mkdir -p "$scratch"

# compile NAME [WORD…]: grader/virtual_gpu/tests/NAME.cu to $scratch/NAME
compile() {
    local name=$1 source=grader/virtual_gpu/tests/$1.cu
    shift
    # shellcheck disable=SC2086,SC2153  # lists of options
    "$NVCC" $CCBIN -std=c++17 $GENCODE -lineinfo -cudart shared "$@" -o "$scratch/$name" "$source"
}

# virtually [VARIABLE=VALUE…] PROGRAM [WORD…]: no program may run for longer than a minute
virtually() {
    LD_LIBRARY_PATH=$library timeout 60 env "$@"
}

# prints NAME EXPECTED VARIABLE=VALUE… PROGRAM WORD: what it writes to stdout
prints() {
    local name=$1 expected=$2 output
    shift 2
    output=$(virtually "$@" 2> "$scratch/stderr") || true
    if [ "$output" = "$expected" ]; then
        ok "$name"
    else
        not_ok "$name" "expected: ${expected//$'\n'/ }" "printed:  ${output//$'\n'/ }"
    fi
}

# complains NAME PATTERN VARIABLE=VALUE… PROGRAM WORD: what it writes to stderr
complains() {
    local name=$1 pattern=$2
    shift 2
    virtually "$@" > /dev/null 2> "$scratch/stderr" || true
    if grep -qE -- "$pattern" "$scratch/stderr"; then
        ok "$name"
    else
        not_ok "$name" "not found: $pattern" "$(head -c 400 "$scratch/stderr")"
    fi
}

# --- programs that check themselves ---------------------------------------------------------------

for name in allocation streams graphs interface managed managed_times pools; do
    compile "$name"
    check "$name" virtually VGPU_REPORT=none "$scratch/$name"
done
check "managed, two devices" virtually VGPU_REPORT=none VGPU_DEVICES=2 "$scratch/managed"
compile managed_limits
check "managed memory that does not fit is evicted" virtually VGPU_REPORT=none VGPU_MEMORY=16M \
    "$scratch/managed_limits" evict
check "VGPU_MANAGED=basic" virtually VGPU_REPORT=none VGPU_MANAGED=basic \
    "$scratch/managed_limits" basic
complains "there the host may touch nothing while a kernel is queued" \
    "error: the host touches managed memory .allocation #2. while a kernel is queued" \
    VGPU_MANAGED=basic "$scratch/managed_limits" touch
prints "and dies of it" "" VGPU_MANAGED=basic "$scratch/managed_limits" touch
check "where pages move by themselves it may" virtually VGPU_REPORT=none \
    "$scratch/managed_limits" touch
compile devices
for count in 1 2 3; do
    check "devices: $count" virtually VGPU_REPORT=none VGPU_DEVICES=$count "$scratch/devices"
done
complains "a kernel on another device than its memory" \
    "error \[out-of-bounds\]" VGPU_DEVICES=2 "$scratch/devices" foreign
complains "and why" "belongs to device 0, and this device may not access it" \
    VGPU_DEVICES=2 "$scratch/devices" foreign
check "which is an illegal address" virtually VGPU_REPORT=none VGPU_DEVICES=2 \
    "$scratch/devices" foreign
complains "a fill of another device's memory" \
    "cudaMemset: the memory belongs to device 0, the stream to 1" \
    VGPU_DEVICES=2 "$scratch/devices" fill
compile threads
check threads virtually VGPU_REPORT=none "$scratch/threads"
compile threads -default-stream per-thread
check "threads, a default stream each" virtually VGPU_REPORT=none "$scratch/threads"
compile interpose grader/virtual_gpu/tests/interposed_calls.c -Xcompiler -rdynamic
check interpose virtually VGPU_REPORT=none "$scratch/interpose"
check "streams, blocks in reverse order" virtually VGPU_REPORT=none \
    VGPU_ORDER=reverse "$scratch/streams"

# --- the same answers as a GPU --------------------------------------------------------------------

compile runtime_facts
facts=grader/virtual_gpu/tests/runtime_facts_h200_cuda${NVCC_VERSION%%.*}.tsv
if [ -e "$facts" ]; then
    virtually VGPU_REPORT=none VGPU_DEVICES=2 "$scratch/runtime_facts" > "$scratch/facts.tsv" || true
    check "every answer of the runtime is the H200's ($(grep -vc '^#' "$facts"))" \
        diff <(grep -v '^#' "$facts") "$scratch/facts.tsv"
else
    skip "the H200's answers" "none were recorded with CUDA ${NVCC_VERSION%%.*}"
fi

# --- variables of the environment -----------------------------------------------------------------

compile environment
environment=$scratch/environment
S=cudaSuccess
prints "without VGPU_FAIL nothing fails" "$S"$'\n'"$S"$'\n'"$S"$'\n'"$S"$'\n'"$S" \
    VGPU_REPORT=none "$environment" allocate
prints "VGPU_FAIL=cudaMalloc:3" \
    "$S"$'\n'"$S"$'\n'cudaErrorMemoryAllocation$'\n'"$S"$'\n'"$S" \
    VGPU_FAIL=cudaMalloc:3 "$environment" allocate
prints "VGPU_FAIL with an error by name, and two rules" \
    "$S"$'\n'cudaErrorNotPermitted$'\n'"$S"$'\n'"$S"$'\n'cudaErrorUnknown \
    VGPU_FAIL=cudaMalloc:2:cudaErrorNotPermitted,cudaMemcpy:1 "$environment" allocate
complains "a wrong VGPU_FAIL is named" 'VGPU_FAIL: "nonsense"' VGPU_FAIL=nonsense \
    "$environment" allocate
prints "one device" "$S"$'\n1\n'cudaErrorInvalidDevice$'\n'"$S" "$environment" devices
prints "VGPU_DEVICES=3" "$S"$'\n3\n'"$S"$'\n'"$S" VGPU_DEVICES=3 "$environment" devices
prints "VGPU_DEVICES=0" \
    cudaErrorNoDevice$'\n0\n'cudaErrorNoDevice$'\n'cudaErrorNoDevice \
    VGPU_DEVICES=0 "$environment" devices
prints "VGPU_MEMORY=4M" "$S"$'\n4194304\n'"$S"$'\n'cudaErrorMemoryAllocation \
    VGPU_MEMORY=4M "$environment" memory
launched=$S$'\n'$S$'\n'$S$'\n'$S
prints "work waits to be waited for" \
    "$launched"$'\nhas not run\n'"$S"$'\n1\n'"$S"$'\n'"$S" "$environment" launch
prints "VGPU_ASYNC=eager" "$launched"$'\nhas run\n'"$S"$'\n1\n'"$S"$'\n'"$S" \
    VGPU_ASYNC=eager "$environment" launch
prints "work that nobody waits for does not keep the process" "$S"$'\n'"$S" \
    "$environment" unfinished

exits_inside() {
    local code=0
    virtually "$environment" exit || code=$?
    [ "$code" -eq 3 ]
}
check "exit in a host function ends the process" exits_inside

# timeline WORD…: a program that was recorded with VGPU_TIMELINE has operations of these kinds
timeline=$scratch/timeline.tsv
has_operations() {
    local kind
    for kind in "$@"; do
        grep -qP "^operation\t0\t[0-9t]+\t$kind\t\d+\t\d+\t\d+\t." "$timeline" || return 1
    done
}
rm -f "$timeline"
check "VGPU_TIMELINE" virtually VGPU_REPORT=none VGPU_TIMELINE="$timeline" "$scratch/streams"
check "records every kind of operation" has_operations in out kernel fill host
starts_before_it_ends() { awk -F "\t" '$1 == "operation" && $5 > $6 { exit 1 }' "$timeline"; }
check "and none ends before it starts" starts_before_it_ends
rm -f "$timeline"

# --- what the host does wrong ---------------------------------------------------------------------

complains "the host dereferences device memory" 'the host dereferences .* allocation #1' \
    "$environment" dereference
dies_of_it() {
    local code=0
    virtually "$environment" dereference || code=$?
    [ "$code" -eq 139 ]
}
check "and dies of it" dies_of_it
complains "a leak" '1234 bytes, was never freed' "$environment" leak
complains "a leak in JSON" '^\{"finding":"leak","severity":"error"' VGPU_REPORT=json \
    "$environment" leak
complains "VGPU_REPORT=text shows counters" 'global_load_requests +1$' VGPU_REPORT=text \
    "$environment" launch
virtually VGPU_REPORT=none "$environment" leak 2> "$scratch/stderr" > /dev/null
check "VGPU_REPORT=none is silent" test ! -s "$scratch/stderr"
prints "what needs a GPU says so" cudaErrorNotSupported$'\n'cudaErrorNotSupported \
    "$environment" needs-gpu
complains "and names itself" 'cudaMallocArray .*needs a GPU' "$environment" needs-gpu

# --- the library ----------------------------------------------------------------------------------

exports=grader/virtual_gpu/tools/exports.sh
names() { nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | sed 's/@.*//' | sort -u; }
check "every symbol of the installed runtime is there" test -z \
    "$(comm -23 <(names "$CUDA_LIB/libcudart.so") <(names "$library/libcudart.so"))"
check "and no other but vgpu.h's" test -z \
    "$(comm -13 <(names "$CUDA_LIB/libcudart.so") <(names "$library/libcudart.so") | grep -v '^vgpu_')"
check "the soname is the installed one" test \
    "$($exports soname "$CUDA_LIB/libcudart.so")" = "$($exports soname "$library/libcudart.so")"
check "no call of the runtime goes through the linkage table" test -z \
    "$(readelf --relocs --wide "$library/libcudart.so" | grep -E ' (__)?cuda[A-Z]')"

finish
