#!/usr/bin/env bash
# Builds every program of faults/ and runs it on the virtual GPU: the fault that its first line
# announces must be found, at the line that carries the quoted comment; for a race at both lines.
#
#   faults_test.sh LIBRARY_FOLDER BUILD_FOLDER
set -euo pipefail

library=${1:?usage: faults_test.sh LIBRARY_FOLDER BUILD_FOLDER}
build=${2:?usage: faults_test.sh LIBRARY_FOLDER BUILD_FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build"
failed=0
count=0

# Number of the line that ends with the comment.
line_of()
{
    grep -n "// $2\$" "$1" | cut -d: -f1
}

compile()
{
    nvcc -std=c++17 -O3 -lineinfo -no-compress -cudart shared \
        -gencode 'arch=compute_80,code=[compute_80,sm_80]' "$1" -o "$2"
}

for source in "$here"/faults/*.cu; do
    program=$build/$(basename "$source" .cu)
    if [[ ! -x $program || $source -nt $program ]]; then
        compile "$source" "$program"
    fi
    kind=$(sed -n '1s/.*expect: \([a-z-]*\).*/\1/p' "$source")
    first=$(sed -n '1s/.* at "\([^"]*\)".*/\1/p' "$source")
    second=$(sed -n '1s/.* and "\([^"]*\)".*/\1/p' "$source")
    setting=$(sed -n 's|^// environment: ||p' "$source")
    pattern="\"finding\":\"$kind\".*\"line\":$(line_of "$source" "$first"),"
    other=$pattern
    if [[ -n $second ]]; then
        a=$(line_of "$source" "$first")
        b=$(line_of "$source" "$second")
        pattern="\"finding\":\"$kind\".*\"line\":$a,.*\"other_line\":$b,"
        other="\"finding\":\"$kind\".*\"line\":$b,.*\"other_line\":$a,"
    fi
    found=$(env ${setting:+"$setting"} VGPU_REPORT=json LD_LIBRARY_PATH="$library" \
        timeout 60 "$program" 2>&1 || true)
    count=$((count + 1))
    if ! grep -q -e "$pattern" -e "$other" <<<"$found"; then
        echo "faults_test: $(basename "$source"): $kind not found where it is"
        grep '"finding"' <<<"$found" | head -3 || true
        failed=$((failed + 1))
    fi
done
echo "faults_test: $((count - failed)) of $count planted faults found"
[[ $failed -eq 0 ]]
