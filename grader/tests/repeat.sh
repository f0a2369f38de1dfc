#!/usr/bin/env bash
# Grades a homework's reference again and again: repeat.sh HW RUNS [TABLE]
#
# On a GPU, after `make solution HW=4` has built everything. One line a run: seconds, points, how long
# an empty launch took (on a shared GPU it waits), and for each timed task its share of the limit and
# its speed-up; TABLE (a file) receives the lines, too. LOADED=1: another process loads the GPU
# meanwhile. Ends with 1 if a run had any verdict but PASS and INCONCLUSIVE.
set -euo pipefail
# shellcheck source=grader/tools/candidate.sh
. grader/tools/candidate.sh

homework=$(compgen -G "hw$1_*")
runs=$2
table=${3:-/dev/null}
build=${BUILD:-build}
topic=${homework#*_}
record=$build/repeat.$1.jsonl
failures=0
inconclusive=0
candidate_options "$homework/${topic}_solution.cu" "$build/$homework/${topic}_solution.so" "$homework"

if [ -n "${LOADED:-}" ]; then
    # shellcheck source=/dev/null
    . "$build/toolchain"
    mkdir -p "$build/tests"
    # shellcheck disable=SC2086 # CCBIN and GENCODE are lists of options
    [ "$build/tests/gpu_load" -nt grader/tests/gpu_load.cu ] ||
        "$NVCC" $CCBIN -O2 $GENCODE -cudart static -o "$build/tests/gpu_load" grader/tests/gpu_load.cu
    "$build/tests/gpu_load" &
    trap 'kill $! 2> /dev/null || true' EXIT
    sleep 1
fi

for ((run = 1; run <= runs; run++)); do
    start=$(date +%s.%N)
    "$build/$homework/grader" "${options[@]}" --mode=solution --results="$record" > "${record%.jsonl}.txt" || true
    noise=$(grep -c '"verdict":"INCONCLUSIVE"' "$record" || true)
    not_pass=$(grep -c -v '"verdict":"PASS"' "$record" || true)
    failures=$((failures + not_pass - noise))
    inconclusive=$((inconclusive + noise))
    awk -v run="$run" -v start="$start" -v end="$(date +%s.%N)" -v not_pass="$not_pass" '
        function number(name) {
            if (!match($0, "\"" name "\":[-0-9.e+]+"))
                return ""
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        }
        { points += number("points") }
        /"speed":\{/ {
            match($0, "\"task\":\"[^\"]*\""); task = substr($0, RSTART + 8, RLENGTH - 9)
            if (number("idle_ns") > idle_ns)
                idle_ns = number("idle_ns")
            shares = shares sprintf("  %s %.3f of %.0f GB/s, %.2fx", task, number("share"),
                number("limit"), number("speed_up"))
        }
        END { printf "run %2d  %4.1f s  %3d points  %d not PASS  idle %.1f µs%s\n", run, end - start,
            points, not_pass, idle_ns / 1000, shares }' "$record" | tee -a "$table"
    [ "$not_pass" -eq 0 ] || grep -v '"verdict":"PASS"' "$record"
done
echo "$runs runs of $homework${LOADED:+ on a loaded GPU}: $failures failures, $inconclusive" \
    "INCONCLUSIVE; all other verdicts PASS" | tee -a "$table"
[ "$failures" -eq 0 ]
