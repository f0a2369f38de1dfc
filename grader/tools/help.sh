#!/usr/bin/env bash
# The commands of a Makefile: help.sh MAKEFILE
#
# A goal is listed by the "## text" behind it. Those with "## class: text" are for instructors and
# contributors; the students' bundle, which has no solutions, does not show them.
set -euo pipefail

goals() { awk -F ':.*## ' '/^[a-z]+:.*##/ { printf "  make %-10s %s\n", $1, $2 }' "$1"; }

goals "$1" | grep -v ' class: '
if compgen -G 'hw*_*/*_solution.cu' > /dev/null; then
    printf '\nFor the class, and for contributors\n'
    goals "$1" | sed -n 's/ class: / /p'
fi
