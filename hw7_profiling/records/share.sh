#!/usr/bin/env bash
# How much of this GPU's read bandwidth the references of hw7.1 to hw7.3 reach together: share.sh
#
# All bytes that they must read and write, over all the time that they take, beside the limit
# that hw4.2's reference is compared with. Needs a GPU.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${BUILD:-build}
make solution HW=7 DEVICE=gpu
make solution HW=4 TASK=2 DEVICE=gpu
# A rate in GB/s is bytes a nanosecond; what hw7's tasks call limit is the baseline's rate.
cat "$build"/results/hw7_profiling/*_solution.cu.jsonl \
    "$build"/results/hw4_reduction/*_solution.cu.jsonl | awk '
    function number(name) {
        if (!match($0, "\"" name "\":[0-9.e+]+"))
            return 0
        return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
    }
    /"task":"hw7\.[123]"/ {
        bytes += number("limit") * number("baseline_ns"); ns += number("candidate_ns")
    }
    /"task":"hw4\.2"/ { limit = number("limit") }
    END {
        if (ns == 0 || limit == 0) { print "nothing was timed"; exit 1 }
        printf "%.0f GB/s together, %.0f %% of %.0f GB/s\n", bytes / ns, 100 * bytes / ns / limit,
            limit
    }'
