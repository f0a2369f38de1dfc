#!/usr/bin/env bash
# Links the virtual GPU: link.sh CC CUDA_LIB LIBRARY OBJECT…
#
# LIBRARY is build/virtual_gpu/libcudart.so; beside it comes the file that programs ask for, under
# the soname, with the symbol versions and every symbol of the installed libcudart.
set -euo pipefail

cc=$1 installed=$2/libcudart.so library=$3
shift 3
folder=$(dirname "$library")
tools=$(dirname "$0")

"$tools/exports.sh" stubs "$installed" "$@" > "$folder/stubs.c"
"$tools/exports.sh" map "$installed" > "$folder/exports.map"
soname=$("$tools/exports.sh" soname "$installed")
"$cc" -O1 -fPIC -c -o "$folder/stubs.o" "$folder/stubs.c"
"$cc" -shared -Wl,-soname,"$soname" -Wl,--version-script="$folder/exports.map" -Wl,-Bsymbolic \
    -Wl,--no-undefined -o "$folder/$soname" "$@" "$folder/stubs.o" -lpthread -ldl -lm
ln -sf "$soname" "$library"
