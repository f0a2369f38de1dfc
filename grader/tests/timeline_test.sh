#!/usr/bin/env bash
# Timelines: what grader/tools/timeline.sh draws from a record of the virtual GPU.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

scratch=${BUILD:-build}/tests/timeline
mkdir -p "$scratch"

# record LINE…: blanks become tabs
record() {
    printf '%s\n' "$@" | tr ' ' '\t' > "$scratch/record.tsv"
}

# draws NAME EXPECTED [PART]
draws() {
    local drawn
    drawn=$(grader/tools/timeline.sh "$scratch/record.tsv" "${3:-0}" 2>&1) || true
    if [ "$drawn" = "$2" ]; then ok "$1"; else not_ok "$1" "drawn:" "$drawn"; fi
}

record \
    "operation 0 1 in 0 26000 4096 copy" \
    "operation 0 2 in 26000 52000 4096 copy" \
    "operation 0 1 kernel 26000 39000 0 scale_kernel" \
    "operation 0 1 out 39000 39010 64 copy" \
    "operation 0 0 host 39010 52000 0 host"
draws "a row for every stream and engine, as long as they took" "\
                    0                                            52.0 us
default host       |                                       0000000000000|  25%
stream 1 in        |00000000000000000000000000                          |  50%
stream 1 kernel    |                          0000000000000             |  25%
stream 1 out       |                                       0            |   0%
stream 2 in        |                          00000000000000000000000000|  50%"

record \
    "mark 5" \
    "operation 0 1 kernel 100 200 0 first_kernel" \
    "mark 250" "mark 260" \
    "operation 1 2 kernel 300 352 0 second_kernel" \
    "operation 0 2 kernel 300 326 0 second_kernel" \
    "mark 400" \
    "operation 0 0 out 410 420 4 copy"
draws "the part that has most operations, and several devices" "\
                    0                                              52 ns
gpu 0 stream 2 kern|00000000000000000000000000                          |  50%
gpu 1 stream 2 kern|0000000000000000000000000000000000000000000000000000| 100%"
draws "a part by its number" "\
                    0                                             100 ns
stream 1 kernel    |0000000000000000000000000000000000000000000000000000| 100%" 1
draws "a part that is not there" \
    "timeline.sh: $scratch/record.tsv has no part 7" 7

record "mark 5"
draws "nothing to draw" "timeline.sh: $scratch/record.tsv has no part 0"

finish
