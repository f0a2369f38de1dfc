#!/usr/bin/env bash
# make sanitize where there is a GPU: what it says is checked with a compute-sanitizer of ours, which
# finds nothing and ends as the program under it does.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HW TASK FILE CASE SEED DEVICE RUN MAKEFLAGS MAKELEVEL

# tool NAME: a program of that name that is found first; standard input is what it does.
tool() {
    { echo '#!/bin/sh' && cat; } > "$scratch/$1"
    chmod +x "$scratch/$1"
}
tool nvidia-smi <<< 'echo "GPU 0: made up"'
tool compute-sanitizer <<< 'shift 4; exec "$@"' # --tool NAME --error-exitcode 99

# says NAME EXIT TEXT [WORD…]: make sanitize HW=1 ends with that code, and its output holds the text.
says() {
    local name=$1 wanted=$2 text=$3 output code=0
    shift 3
    output=$(PATH=$scratch:$PATH make sanitize HW=1 "$@" 2>&1 < /dev/null) || code=$?
    check "$name" test "$code" -eq "$wanted"
    check "$name: $text" grep -qF -- "$text" <<< "$output"
    says_nothing_found=no
    ! grep -q 'nothing found' <<< "$output" || says_nothing_found=yes
}

says "an answer without a fault" 0 "The full reports are in" FILE=hw1_vector_add/vector_add_solution.cu
check "in which nothing is found" test "$says_nothing_found" = yes

sed '$a int broken = ;' hw1_vector_add/vector_add.cu > "$scratch/broken.cu"
says "a file that does not compile" 2 "DOES NOT COMPILE" FILE="$scratch/broken.cu"
check "in which nothing was looked for" test "$says_nothing_found" = no

says "a task that there is not" 2 "hw1_vector_add has no such task" TASK=9
check "in which nothing was looked for, either" test "$says_nothing_found" = no

tool compute-sanitizer <<< 'echo "========= Error: Device not supported"; exit 1'
says "a tool that refuses the GPU" 2 "Device not supported"
check "which has found nothing, and says no such thing" test "$says_nothing_found" = no

# The GPU may be another machine's.
mkdir "$scratch/node"
mv "$scratch/nvidia-smi" "$scratch/node/"
tool elsewhere <<< "PATH=$scratch/node:\$PATH exec \"\$@\""
tool compute-sanitizer <<< 'shift 4; exec "$@"'
says "a GPU behind RUN=" 0 "memcheck: accesses out of bounds" FILE=hw1_vector_add/vector_add_solution.cu \
    RUN="$scratch/elsewhere"

finish
