#!/usr/bin/env bash
# Builds every program of faults/ and runs it on the virtual GPU: the fault that its first line
# announces must be found, at the line that carries the quoted comment; for a race at both lines.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
programs=$build/virtual_gpu/faults
mkdir -p "$programs"

# Number of the line that ends with the comment.
line_of() { grep -n "// $2\$" "$1" | cut -d: -f1; }

program_of() { echo "$programs/$(basename "$1" .cu)"; }

compile() {
    local program
    program=$(program_of "$1")
    [ "$program" -nt "$1" ] && [ "$program" -nt "$build/toolchain" ] && return
    # shellcheck disable=SC2086 # CCBIN is a list of words
    "$NVCC" $CCBIN -std=c++17 -O3 -lineinfo -no-compress -cudart shared \
        -gencode 'arch=compute_80,code=[compute_80,sm_80]' "$1" -o "$program"
}
export -f compile program_of
export NVCC CCBIN programs build

# finds SOURCE KIND FIRST SECOND: SECOND is empty but for a race that has two lines.
finds() {
    local source=$1 kind=$2 a b='' pattern other setting found
    a=$(line_of "$source" "$3")
    [ -z "$4" ] || b=$(line_of "$source" "$4")
    pattern="\"finding\":\"$kind\".*\"line\":$a,${b:+.*\"other_line\":$b,}"
    other="\"finding\":\"$kind\".*\"line\":${b:-$a},${b:+.*\"other_line\":$a,}"
    setting=$(sed -n 's|^// environment: ||p' "$source")
    found=$(env ${setting:+"$setting"} VGPU_REPORT=json LD_LIBRARY_PATH="$build/virtual_gpu" \
        timeout 60 "$(program_of "$source")" 2>&1 || true)
    grep -q -e "$pattern" -e "$other" <<< "$found" && return
    grep '"finding"' <<< "$found" | head -n 3
    return 1
}

check "the programs compile" bash -c \
    "printf '%s\n' grader/virtual_gpu/tests/faults/*.cu | xargs -P 2 -I{} bash -c 'compile {}'"
for source in grader/virtual_gpu/tests/faults/*.cu; do
    kind=$(sed -n '1s/.*expect: \([a-z-]*\).*/\1/p' "$source")
    first=$(sed -n '1s/.* at "\([^"]*\)".*/\1/p' "$source")
    second=$(sed -n '1s/.* and "\([^"]*\)".*/\1/p' "$source")
    check "$(basename "$source"): $kind at its line" finds "$source" "$kind" "$first" "$second"
done

unchecked() {
    local found
    found=$(VGPU_CHECKS=off VGPU_REPORT=json LD_LIBRARY_PATH="$build/virtual_gpu" timeout 60 \
        "$programs/$1" 2>&1 || true)
    ! grep -q "\"finding\":\"$2\"" <<< "$found"
}
check "VGPU_CHECKS=off looks for no race" unchecked race_shared_no_barrier shared-race
check "VGPU_CHECKS=off looks for nothing unwritten" unchecked uninitialised_global uninitialised
still_checked() { ! unchecked "$@"; }
check "VGPU_CHECKS=off still checks addresses" still_checked out_of_bounds_store out-of-bounds

finish
