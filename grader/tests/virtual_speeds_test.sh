#!/usr/bin/env bash
# The modelled speeds of the homeworks' own files against those of an H200: each lies on the same side
# of its gate. grader/tests/speeds_h200.tsv is what speed_table.sh printed there, speeds_virtual.tsv
# what it printed for the virtual GPU when that was committed.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
recorded=grader/tests/speeds_h200.tsv
now=$build/tests/speeds_virtual.tsv
mkdir -p "$build/tests"

if [ ! -e "$recorded" ]; then
    skip "modelled speeds as on an H200" "not recorded"
    finish
    exit
fi
# What rungs get is for verdicts_test.sh: their ladders say where the devices differ.
DEVICE=virtual grader/tests/speed_table.sh | grep -v '^solutions/' > "$now"

# One line a file and task: ok, not ok or skip, a tab, what was looked at.
compare() {
    awk -F '\t' '
        /^#/ { next }
        { key = $1 " " $2 }
        NR == FNR { share[key] = $4; gate[key] = $5; next }
        $5 == 0 { next }
        !(key in share) { print "skip\t" key; next }
        {
            same = (share[key] >= gate[key]) == ($4 >= $5)
            printf "%s\t%s: %.2f on an H200, modelled %.2f, gate %.2f\n", same ? "ok" : "not ok",
                key, share[key], $4, $5
        }' "$recorded" "$now"
}
while IFS=$'\t' read -r result text; do
    case $result in
    ok) ok "$text" ;;
    skip) skip "$text" "not recorded" ;;
    *) not_ok "$text" ;;
    esac
done < <(compare)
finish
