#!/usr/bin/env bash
# Builds a cheat that needs no lesson, for every homework that it attacks:
#     cheat.sh compile SOURCE OBJECT    once; its function is named by the macro FUNCTION
#     cheat.sh link OBJECT SO HOMEWORK  under the name of the homework's first function
set -euo pipefail

# shellcheck source=/dev/null
. "${BUILD:-build}/toolchain"

case $1 in
compile)
    mkdir -p "$(dirname "$3")"
    # shellcheck disable=SC2086 # GENCODE and CCBIN are lists of options
    "$NVCC" $CCBIN -std=c++17 -O3 -lineinfo $GENCODE -Xcompiler -fPIC,-Wall,-Wextra \
        -DFUNCTION='"function_under_attack"' -c -o "$3" "$2"
    ;;
link)
    mkdir -p "$(dirname "$3")"
    function=$(sed -n 's/.*\.function = "\([a-z0-9_]*\)".*/\1/p' "$4/grader.c" | head -n 1)
    "$HOST_CC" -shared -o "$3" "$2" -Wl,--defsym,"$function=function_under_attack" \
        -L"$CUDA_LIB" -lcudart -lstdc++
    ;;
esac
