#!/usr/bin/env bash
# Builds a cheat that needs no lesson, for every homework that it attacks:
#     cheat.sh compile SOURCE OBJECT              once, for all of them
#     cheat.sh entry HOMEWORK OBJECT              what a homework calls its function and its work
#     cheat.sh link OBJECT SO HOMEWORK            FUNCTION is the homework's first function
#     cheat.sh link-spoilt OBJECT ENTRY SO        a family and the reference that it spoils
set -euo pipefail

# shellcheck source=/dev/null
. "${BUILD:-build}/toolchain"

# Where the reference's object lies, seen from a cheat in build/cheats/HOMEWORK/spoilt.
reference_of() { echo "../../../$1/${1#*_}_solution.so"; }

case $1 in
compile)
    mkdir -p "$(dirname "$3")"
    # shellcheck disable=SC2086 # GENCODE and CCBIN are lists of options
    "$NVCC" $CCBIN -std=c++17 -O3 -lineinfo $GENCODE -I. -Xcompiler -fPIC,-Wall,-Wextra \
        -DFUNCTION='"function_under_attack"' -DREFERENCE='""' -MD -MF "${3%.o}.headers" \
        -c -o "$3" "$2"
    ;;
entry)
    mkdir -p "$(dirname "$3")"
    "$HOST_CC" -x c++ -std=c++17 -O1 -fPIC -Wall -Wextra -Werror -I. -I"$CUDA_INCLUDE" \
        -DREFERENCE="\"$(reference_of "$2")\"" -MMD -MP -c -o "$3" "grader/cheats/entries/$2.cpp"
    ;;
link)
    mkdir -p "$(dirname "$3")"
    function=$(sed -n 's/.*\.function = "\([a-z0-9_]*\)".*/\1/p' "$4/grader.c" | head -n 1)
    "$HOST_CC" -shared -o "$3" "$2" -Wl,--defsym,"$function=function_under_attack" \
        -L"$CUDA_LIB" -lcudart -lstdc++
    cp "${2%.o}.headers" "${3%.so}.headers" # which say what library is used
    ;;
link-spoilt)
    mkdir -p "$(dirname "$4")"
    "$HOST_CC" -shared -o "$4" "$2" "$3" -L"$CUDA_LIB" -lcudart -lstdc++ -lpthread -ldl
    ;;
esac
