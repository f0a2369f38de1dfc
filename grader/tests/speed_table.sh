#!/usr/bin/env bash
# How fast everything is that the homeworks bring along, on this device: speed_table.sh [ladders]
#
# A row for each timed task of every reference, baseline (as if it were handed in), rung of a ladder,
# accepted solution, and wrong answer or cheat that is too slow; `ladders`: of the first three alone.
# Gradings that verdicts_test.sh has left are used again; what is missing or old is graded now. HW=4: of
# one homework. DEVICE=virtual: the modelled speeds. FRESH=1: nothing is used again.
# Columns: file, task, verdict, share (of the limit, or speed-up where the baseline is the limit), gate,
# and the limit: its name and GB/s, 0 where it is not a bandwidth.
set -euo pipefail
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh
# shellcheck source=grader/tools/candidate.sh
. grader/tools/candidate.sh

which=${1:-all}
build=${BUILD:-build}
mkdir -p "$build/tests/speeds"

is_slow() { [[ $(head -n 1 "$1") == *"=TOO SLOW "* ]]; }

# "HOMEWORK FILE", one a line.
timed_files() {
    local homework file
    for homework in $(chosen_homeworks); do
        echo "$homework $homework/$(topic_of "$homework")_solution.cu"
        echo "$homework $homework/baseline.cu"
        for file in $(rungs "$homework"); do
            echo "$homework $file"
        done
        [ "$which" = all ] || continue
        for file in $(accepted_solutions "$homework"); do
            echo "$homework $file"
        done
        for file in $(wrong_answers "$homework") $(cheats "$homework"); do
            if is_slow "$file"; then echo "$homework $file"; fi
        done
    done
}

# Is this a record of the device that is asked for, younger than all that it came from?
is_fresh() {
    local record=$1 object=$2 grader=$3
    [ "${FRESH:-0}" != 1 ] && [ "$record" -nt "$object" ] && [ "$record" -nt "$grader" ] &&
        [ "$record" -nt "$build/virtual_gpu/libcudart.so" ] &&
        { [ "${DEVICE:-auto}" = auto ] || grep -q "\"device_kind\":\"${DEVICE:-auto}\"" "$record"; }
}

# The path of the file's record.
record_of() {
    local homework=$1 file=$2 grader object name record task=
    grader=$build/$homework/grader
    object=$(object_of "$file" "$homework")
    name=$(record_name "$homework" "$file").jsonl
    for record in "$build/tests/verdicts/$name" "$build/tests/speeds/$name"; do
        if is_fresh "$record" "$object" "$grader"; then
            echo "$record"
            return
        fi
    done
    if is_slow "$file"; then task=$(expectation "$file" task); fi
    rm -f "$record"
    TASK=$task candidate_options "$file" "$object" "$homework"
    timeout 300 "$grader" "${options[@]}" --results="$record" > "${record%.jsonl}.txt" 2>&1 || [ -s "$record" ]
    echo "$record"
}

# Of a record: task, verdict, share, gate and limit; device, toolkit and day.
row='s/.*"task":"\([^"]*\)".*"verdict":"\([^"]*\)".*"speed":{"gate":\([^,]*\),"share":\([^,]*\),.*'
row+='"limit":\([^,]*\),.*"limit_name":"\([^"]*\)".*/\1\t\2\t\4\t\3\t\6\t\5/p'
heading='s/.*"time":"\([^T]*\)T.*"device":"\([^"]*\)".*"toolkit":"\([^"]*\)","driver":"\([^"]*\)".*/# \2, CUDA \3 (driver \4), \1/p'

first=yes
while read -r homework file; do
    if [ ! -e "$(object_of "$file" "$homework")" ] || [ ! -x "$build/$homework/grader" ]; then
        echo "# $file: not built (make test HW=${homework//[!0-9]/} builds it)"
        continue
    fi
    record=$(record_of "$homework" "$file")
    if [ "$first" = yes ]; then
        sed -n "$heading" "$record" | head -n 1
        printf '# file\ttask\tverdict\tshare\tgate\tlimit\tGB/s\n'
        first=no
    fi
    sed -n "$row" "$record" | sed "s,^,$file\t,"
done < <(timed_files)
