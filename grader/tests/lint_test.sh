#!/usr/bin/env bash
# Formatting, shell scripts, and rules for every file of the tree.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

# Files that git tracks or would track; without git (an unpacked archive) all but build/.
files() {
    git ls-files --cached --others --exclude-standard -- "$@" 2> /dev/null ||
        find . -type f -name "${1#\*}" -not -path './build/*'
}

has() { command -v "$1" > /dev/null; }

if has clang-format; then
    mapfile -t sources < <(files '*.c' '*.h' '*.cu')
    for source in "${sources[@]}"; do
        check "format $source" clang-format --dry-run -Werror "$source"
    done
else
    skip "format" "clang-format is not installed (make setup, or apt-get install clang-format)"
fi

if has shellcheck; then
    mapfile -t scripts < <(files '*.sh' .ci/run)
    for script in "${scripts[@]}"; do
        check "shellcheck $script" shellcheck -x "$script"
    done
else
    skip "shellcheck" "shellcheck is not installed"
fi

# No path of a machine: neither the home nor this tree's own place occurs in a file.
no_machine_paths() { ! files '*' | xargs -d '\n' grep -nIF -e "$HOME/" -e "$PWD/" --; }
check "no machine paths" no_machine_paths

no_twins() {
    local twins
    twins=$(files '*' | xargs -d '\n' sha256sum | sort | uniq -w 64 -D)
    [ -z "$twins" ] || { echo "$twins" && false; }
}
check "no two files are identical" no_twins

makefile_has_no_typos() {
    ! make -n --warn-undefined-variables help 2>&1 | grep 'undefined variable'
}
check "the Makefile uses no undefined variable" makefile_has_no_typos

finish
