#!/usr/bin/env bash
# make calibrate: which rungs it takes for a gate, and when the rule holds, from made-up speeds.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HW TASK MAKEFLAGS MAKELEVEL
export BUILD=$scratch/build SOLUTIONS=$scratch/solutions SPEED_TABLE=$scratch/speed_table.sh
mkdir -p "$SOLUTIONS/hw4_reduction"
tabs() { printf '%s\n' "$@" | tr '|' '\t'; }

tabs '# file|task|verdict|sentence' 's/naive.cu|hw4.2|TOO SLOW|x' 's/better.cu|hw4.2|TOO SLOW/PASS|x' \
    's/good.cu|hw4.2|PASS|x' 'hw4_reduction/reduction_solution.cu|hw4.2|PASS|x' \
    > "$SOLUTIONS/hw4_reduction/ladder.tsv"

# calibrate DEVICE ROW…: the rows as speed_table.sh prints them; leaves the table in $table.
calibrate() {
    local device=$1
    shift
    {
        echo "cat << 'END'"
        echo "# $device, CUDA 13.0 (driver 13.0), 2026-11-30"
        tabs '# file|task|verdict|share|gate|limit|GB/s' "$@"
        echo END
        echo "echo \"\$FRESH \$*\" > '$scratch/asked'"
    } > "$scratch/speed_table.sh"
    chmod +x "$scratch/speed_table.sh"
    sed -i '1i #!/usr/bin/env bash' "$scratch/speed_table.sh"
    code=0
    output=$(grader/tools/calibrate.sh 2>&1) || code=$?
    table=$(< "$BUILD/results/calibrate.tsv")
}

row_is() {
    local wanted
    wanted=$(tabs "$2")
    if grep -qxF -- "$wanted" <<< "$table"; then ok "$1"; else not_ok "$1" "wanted" "$wanted" "got" "$table"; fi
}

speeds=('hw4_reduction/reduction_solution.cu|hw4.1|PASS|0.5|0.3|read|4000'
    'hw4_reduction/baseline.cu|hw4.1|TOO SLOW|0.24|0.3|read|4000'
    'hw4_reduction/reduction_solution.cu|hw4.2|PASS|0.97|0.75|read|4000'
    'hw4_reduction/baseline.cu|hw4.2|TOO SLOW|0.74|0.75|read|4000'
    's/naive.cu|hw4.2|TOO SLOW|0.01|0.75|read|4000' 's/better.cu|hw4.2|TOO SLOW|0.6|0.75|read|4000'
    's/good.cu|hw4.2|PASS|0.9|0.75|read|4000'
    'hw4_reduction/reduction_solution.cu|hw4.9|PASS|2|0|baseline|0')
calibrate "NVIDIA H200" "${speeds[@]}"
check "the speeds are measured anew, of ladders alone" test "$(< "$scratch/asked")" = "1 ladders"
row_is "without a ladder: baseline and reference" 'hw4.1|read|4000|0.3|baseline|0.24|0.80|reduction_solution|0.5|1.67|holds'
row_is "with one: the fastest rung that is rejected, the slowest that passes" \
    'hw4.2|read|4000|0.75|better|0.6|0.80|good|0.9|1.20|holds'
check "what is not judged has no row" bash -c "! grep -q 'hw4\.9' '$BUILD/results/calibrate.tsv'"
check "the table names the device" grep -q '^# NVIDIA H200, CUDA 13.0' "$BUILD/results/calibrate.tsv"
check "the table is printed" grep -q 'hw4.2 *read *4000 *0.75 *better' <<< "$output"
check "exit code 0" test "$code" -eq 0

calibrate "Virtual GPU (H200 cut to 8 SMs)" "${speeds[@]}"
row_is "on the virtual GPU the ladder's second verdict counts" \
    'hw4.2|read|4000|0.75|naive|0.01|0.01|better|0.6|0.80|accepted too slow'
calibrate "NVIDIA H200" "${speeds[@]/0.24/0.25}"
row_is "0.83 of the gate is rejected too fast" \
    'hw4.1|read|4000|0.3|baseline|0.25|0.83|reduction_solution|0.5|1.67|rejected too fast'
check "that is a finding, no failure" test "$code" -eq 0
calibrate "NVIDIA H200" "${speeds[@]:0:1}"
row_is "a task without anything to reject" 'hw4.1|read|4000|0.3|-|-|-|reduction_solution|0.5|1.67|holds'
calibrate "NVIDIA H200"
check "nothing measured: 77" test "$code" -eq 77

printf '#!/bin/sh\nkill -INT $$\n' > "$SPEED_TABLE"
before=$table
if grader/tools/calibrate.sh > /dev/null 2>&1; then
    not_ok "a run that is interrupted fails"
else
    check "a run that is interrupted leaves the table of the last one" test -n "$before" -a "$(< "$BUILD/results/calibrate.tsv")" = "$before"
fi

finish
