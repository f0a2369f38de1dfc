#!/usr/bin/env bash
# Grades a homework's reference again and again: repeat.sh HW RUNS [TABLE]
#
# On a GPU, after `make solution HW=4` has built everything. One line a run: seconds, points, and
# for each timed task its share of the limit and its verdict; TABLE (a file) receives the lines,
# too. Ends with 1 if a run had any verdict but PASS.
set -euo pipefail

homework=$(compgen -G "hw$1_*")
runs=$2
table=${3:-/dev/null}
build=${BUILD:-build}
topic=${homework#*_}
record=$build/repeat.jsonl
others=0

for ((run = 1; run <= runs; run++)); do
    start=$(date +%s.%N)
    "$build/$homework/grader" --file="$homework/${topic}_solution.cu" --mode=solution \
        --candidate="$build/$homework/${topic}_solution.so" --device="${DEVICE:-auto}" \
        --baseline="$build/$homework/baseline.so" --virtual="$build/virtual_gpu" \
        --results="$record" > "$build/repeat.txt" || true
    not_pass=$(grep -c -v '"verdict":"PASS"' "$record" || true)
    others=$((others + not_pass))
    awk -v run="$run" -v start="$start" -v end="$(date +%s.%N)" -v not_pass="$not_pass" '
        function number(name) {
            if (!match($0, "\"" name "\":[-0-9.e+]+"))
                return ""
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        }
        { points += number("points") }
        /"speed":\{/ {
            match($0, "\"task\":\"[^\"]*\""); task = substr($0, RSTART + 8, RLENGTH - 9)
            shares = shares sprintf("  %s %.3f of %.0f GB/s, %.2fx", task, number("share"),
                number("limit"), number("speed_up"))
        }
        END { printf "run %2d  %4.1f s  %3d points  %d not PASS%s\n", run, end - start, points,
            not_pass, shares }' "$record" | tee -a "$table"
    [ "$not_pass" -eq 0 ] || grep -v '"verdict":"PASS"' "$record"
done
echo "$runs runs of $homework, $others verdicts other than PASS"
[ "$others" -eq 0 ]
