#!/usr/bin/env bash
# Prints the table of grader/cheats/README.md: which cheat attacks which homework, from the files.
set -euo pipefail
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

HW='' # of all homeworks, whatever is being tested
mapfile -t homeworks < <(chosen_homeworks)

# The second sentence part of a cheat: what it does.
what_it_does() {
    sed -n '/^\/\/ gpu=/d; /^\/\/ hw[0-9]*: /d; /^\/\/ /!q; s/^\/\/ //p' "$1" | paste -sd ' ' |
        sed 's/\([.:]\) .*/\1/; s/:$/./'
}

row() {
    local file=$1 homework cells=
    for homework in "${homeworks[@]}"; do
        if grep -q "^// ${homework%%_*}: does not apply" "$file"; then
            cells+=" – |"
        else
            case $(expectation "$file" virtual "$homework") in
            "not checked"*) cells+=" GPU |" ;;
            *) cells+=" ✓ |" ;;
            esac
        fi
    done
    echo "| \`$(basename "$file" .cu)\` | $(what_it_does "$file") |$cells"
}

table() {
    local homework head="| cheat | what it does |" line="|---|---|"
    for homework in "${homeworks[@]}"; do
        head+=" ${homework%%_*} |" line+="---|"
    done
    printf '%s\n%s\n' "$head" "$line"
    for file in "$@"; do row "$file"; done
}

echo "### The reference, spoilt"
echo
table grader/cheats/spoilt/*.cu
echo
echo "Does not apply:"
echo
# shellcheck disable=SC2016 # the backquotes are for Markdown
grep -H '^// hw[0-9]*: does not apply: ' grader/cheats/*.cu grader/cheats/spoilt/*.cu |
    sed -E 's#.*/(.*)\.cu:// (hw[0-9]*): does not apply: (.*)#- \2, `\1`: \3.#'
echo
echo "### Without a lesson"
echo
table grader/cheats/*.cu
echo
echo "### Of one lesson"
echo
echo "| homework | task | cheat | what it does | virtual GPU |"
echo "|---|---|---|---|---|"
for homework in "${homeworks[@]}"; do
    for file in grader/cheats/"$homework"/*.cu; do
        verdict=$(expectation "$file" virtual)
        echo "| ${homework%%_*} | $(expectation "$file" task) | \`$(basename "$file" .cu)\`" \
            "| $(what_it_does "$file") | ${verdict} |"
    done
done
