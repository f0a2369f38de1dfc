#!/usr/bin/env bash
# Compiles a candidate to a shared object: compile.sh SOURCE OBJECT HOMEWORK [--cheat]
#
# Prints the nvcc line (it is part of the lesson) and nvcc's messages, which also go to
# OBJECT's .log. If the file does not compile there is no OBJECT, and that is for the grader to
# say: the exit code is 0. The contract is forced in, so that a header beside the file cannot
# replace it. A cheat is told where the solution is.
set -euo pipefail

limit_s=300 # of nvcc; CUB takes 12 s
source_file=$1 object=$2 homework=$3
build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"

extra=()
if [ "${4:-}" = --cheat ]; then
    extra=(-I. "-DSOLUTION=\"$homework/${homework#*_}_solution.cu\"")
fi
log=${object%.so}.log
contract=$homework/${homework#*_}.h
# shellcheck disable=SC2206,SC2054 # GENCODE and CCBIN are lists of options; the comma is -Xcompiler's
command=("$NVCC" $CCBIN -std=c++17 -O3 -lineinfo $GENCODE -cudart shared -shared
    -Xcompiler -fPIC,-Wall,-Wextra,-Wno-unused-parameter
    -Igrader/include -include "$contract" "${extra[@]}" -MMD -MP -MF "${object%.so}.d" -MT "$object"
    -o "$object" "$source_file")

mkdir -p "$(dirname "$object")"
rm -f "$object"
if [ "${V:-0}" = 1 ]; then
    printf '%q ' "${command[@]}"
    echo
else
    echo "nvcc  -std=c++17 -O3 -lineinfo $GENCODE … $source_file"
fi
code=0
timeout "$limit_s" "${command[@]}" > "$log" 2>&1 < /dev/null || code=$?
if [ "$code" -ne 0 ]; then
    rm -f "$object"
    [ "$code" -ne 124 ] || echo "error: nvcc was stopped after $limit_s s" >> "$log"
    grep -qE 'error|fatal' "$log" || echo "error: nvcc failed without a word" >> "$log"
else
    cat "$log" # warnings
fi
