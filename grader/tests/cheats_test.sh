#!/usr/bin/env bash
# The suite of cheats is whole: every homework has an entry, and the README's table is the files'.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

has_an_entry() {
    local id
    id=$(sed -n '1s,^// task=,,p' "grader/cheats/entries/$1.cpp")
    task_ids "$1" | grep -qxF -- "$id" || { echo "the first line names no task: \"$id\"" && return 1; }
}

says_what_the_files_say() {
    diff <(sed -n '/^### The reference, spoilt$/,$p' grader/cheats/README.md) \
        <(grader/tests/cheat_table.sh) ||
        { echo "grader/tests/cheat_table.sh prints the table" && return 1; }
}

# A family that spoils nothing would pass: its line must name another verdict.
nothing_passes() { ! grep -nE '^// .*(gpu|virtual)=PASS' -r grader/cheats; }

for homework in $(chosen_homeworks); do
    check "$homework has an entry for the families of cheats" has_an_entry "$homework"
done
check "no cheat is expected to pass" nothing_passes
check "the table of grader/cheats/README.md is that of the files" says_what_the_files_say

finish
