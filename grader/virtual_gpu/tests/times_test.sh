#!/usr/bin/env bash
# The model of kernel times against an H200: times_test.sh [--table]
#
# Kernels like those of the lessons run on the virtual GPU, at a sixteenth of the size. Each must lie
# on the same side of its lesson's gate as on the H200 (times/h200.tsv), and two kernels of a group
# that differ by a quarter there must come in the same order. Kernels whose work lies unevenly take as
# long as ones without the idle threads (times/alike.tsv). --table prints all as markdown.
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
times=grader/virtual_gpu/tests/times
scratch=$build/virtual_gpu/tests/times
mkdir -p "$scratch"
rm -f "$scratch"/*.tsv

if [ ! "$scratch/kernels" -nt "$times/kernels.cu" ] || [ ! "$scratch/kernels" -nt "$build/toolchain" ] ||
    [ ! "$scratch/kernels" -nt grader/virtual_gpu/vgpu.h ]; then
    # shellcheck disable=SC2086,SC2153  # lists of options
    "$NVCC" $CCBIN -std=c++17 -O3 $GENCODE -lineinfo -cudart shared -o "$scratch/kernels" \
        "$times/kernels.cu" -ldl
fi

# Two processes share the groups; the modelled times do not depend on the machine.
groups=$(cat "$times/h200.tsv" "$times/alike.tsv" | grep -v "^#" | cut -f 1 | uniq)
run_groups() {
    printf '%s\n' "$groups" | awk "NR % 2 == $1" | tr '\n' '\0' |
        LD_LIBRARY_PATH=$library VGPU_REPORT=none xargs -0 timeout 300 "$scratch/kernels" \
            > "$scratch/modelled_$1.tsv"
}
run_groups 0 &
run_groups 1
wait
cat "$scratch"/modelled_?.tsv > "$scratch/modelled.tsv"

join_with() {
    awk -v mode="$1" -f "$times/table.awk" "$times/h200.tsv" "$scratch/modelled.tsv" \
        "$times/gates.tsv" "$times/alike.tsv"
}
if [ "${1:-}" = --table ]; then
    join_with table
    exit
fi
while IFS=$'\t' read -r result text; do
    if [ "$result" = ok ]; then ok "$text"; else not_ok "$text"; fi
done < <(join_with test)
finish
