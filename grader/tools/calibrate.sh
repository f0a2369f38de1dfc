#!/usr/bin/env bash
# Are the gates right on this device? calibrate.sh    HW=4: of one homework
#
# Measures references, baselines and rungs anew, and prints for each timed task its limit, its gate, the
# fastest version that must be rejected and the slowest one that must pass, and whether the rule holds:
# the one reaches at most 0.8 of the gate, the other at least 1.2. What must be rejected or pass is what
# the ladders say; without a ladder the baseline and the reference. Keeps the table in
# BUILD/results/calibrate.tsv. Exit code: 0, also where the rule does not hold; 77 nothing could be
# measured; 2 a file that cannot be written.
set -euo pipefail

build=${BUILD:-build}
solutions=${SOLUTIONS:-solutions}
table=$build/results/calibrate.tsv
speeds=$build/tests/calibrate.tsv

mkdir -p "$build/tests" "$build/results" && : >> "$table"
echo "Measuring; a homework takes a minute …"
FRESH=1 "${SPEED_TABLE:-grader/tests/speed_table.sh}" ladders > "$speeds"
if ! grep -qv '^#' "$speeds"; then
    echo "Nothing was measured: make doctor says what this machine lacks." >&2
    exit 77
fi

# "FILE TAB TASK TAB VERDICT" of the ladders on this device: GPU/VIRTUAL where the two differ.
expectations() {
    local side=1 ladder
    ! head -n 1 "$speeds" | grep -q '^# Virtual' || side=2
    for ladder in "$solutions"/*/ladder.tsv; do
        [ ! -e "$ladder" ] || grep -v '^#' "$ladder"
    done | awk -F '\t' -v side="$side" '
        { n = split($3, both, "/"); printf "%s\t%s\t%s\n", $1, $2, (n == 2 ? both[side] : $3) }'
}

head -n 1 "$speeds" > "$table.new"
printf '# task\tlimit\tGB/s\tgate\trejected\tshare\tof gate\taccepted\tshare\tof gate\trule\n' >> "$table.new"
awk -F '\t' '
    /^#/ { next }
    FNR == NR { wanted[$1, $2] = $3; has_ladder[$2] = 1; next }
    {
        file = $1; task = $2; share = $4 + 0
        if (!(task in gate)) order[++tasks] = task
        gate[task] = $5 + 0; limit[task] = $6; gb_s[task] = $7
        expected = (file, task) in wanted ? wanted[file, task] : file ~ /_solution\.cu$/ ? "PASS" \
            : file ~ /baseline\.cu$/ && !has_ladder[task] ? "TOO SLOW" : ""
        if (expected == "TOO SLOW" && (!(task in low) || share > low[task])) {
            low[task] = share; low_file[task] = file
        }
        if (expected == "PASS" && (!(task in high) || share < high[task])) {
            high[task] = share; high_file[task] = file
        }
    }
    function name(path) { sub(/.*\//, "", path); sub(/\.cu$/, "", path); return path == "" ? "-" : path }
    function side(known, share, gate) {
        return known ? sprintf("%.3g\t%.2f", share, share / gate) : "-\t-"
    }
    END {
        for (k = 1; k <= tasks; k++) {
            task = order[k]
            if (gate[task] == 0) continue # its time is shown, not judged
            rejects = !(task in low) || low[task] <= 0.8 * gate[task]
            accepts = (task in high) && high[task] >= 1.2 * gate[task]
            printf "%s\t%s\t%.4g\t%g\t%s\t%s\t%s\t%s\t%s\n", task, limit[task], gb_s[task], gate[task],
                name(low_file[task]), side(task in low, low[task], gate[task]),
                name(high_file[task]), side(task in high, high[task], gate[task]),
                rejects && accepts ? "holds" : accepts ? "rejected too fast" : "accepted too slow"
        }
    }' <(expectations) "$speeds" | sort -V >> "$table.new"
mv "$table.new" "$table"

head -n 1 "$table"
sed 1d "$table" | sed 's/^# //' | LC_ALL=C awk -F '\t' '{
    printf "%-6s %-26s %6s %5s  %-24s %6s %5s×  %-24s %6s %5s×  %s\n",
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 }' | sed '1s/×/ /g'
echo "Kept in $table"
