#!/usr/bin/env bash
# The virtual GPU against programs whose verdict is known, in three orders of blocks and warps:
#
#   correct/  has no fault: nothing may be found, and results do not depend on the order
#   faulty/   one planted fault each, which the first line announces: it is found, at exactly that
#             line (a race at both), once, and nothing else is found
#
# and the counters of access_patterns.cu against those that were read on an H200.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
# shellcheck source=/dev/null
. "$build/toolchain"
corpus=grader/virtual_gpu/tests/corpus
programs=$build/virtual_gpu/corpus
library=$build/virtual_gpu
orders="forward reverse 12345"
jobs=2

# ---- building ------------------------------------------------------------------------------------

# is_current PROGRAM SOURCE
is_current() {
    [ -x "$1" ] && [ "$1" -nt "$2" ] && [ "$1" -nt "$corpus/corpus.h" ] &&
        [ "$1" -nt grader/virtual_gpu/vgpu.h ] &&
        [ "$1" -nt "$build/toolchain" ]
}

compile() {
    local program=$1 source=$2
    # shellcheck disable=SC2086 # CCBIN is a list of words
    "$NVCC" $CCBIN -std=c++17 -O3 -lineinfo -gencode 'arch=compute_80,code=[compute_80,sm_80]' \
        -no-compress -cudart shared -o "$program" "$source" -ldl > "$program.log" 2>&1 ||
        rm -f "$program"
}

# The slowest first, so that no processor waits for one of them at the end.
sources() {
    ls "$corpus"/correct/{thrust,cub}_*.cu
    find "$corpus" -name "*.cu" ! -name "thrust_*" ! -name "cub_*" | sort
}

program_of() {
    local name=${1#"$corpus"/}
    echo "$programs/${name%.cu}"
}

compile_all() {
    local source program running=0
    mkdir -p "$programs/correct" "$programs/faulty"
    while read -r source; do
        program=$(program_of "$source")
        is_current "$program" "$source" && continue
        compile "$program" "$source" &
        running=$((running + 1))
        [ "$running" -lt "$jobs" ] || wait -n || true
    done < <(sources)
    wait
    while read -r source; do
        program=$(program_of "$source")
        [ -x "$program" ] || not_ok "$source compiles" "$(head -n 20 "$program.log")"
    done < <(sources)
}

# ---- running -------------------------------------------------------------------------------------

# virtually ORDER PROGRAM [WORD…]: output and exit code of a run, and the lines with its findings
output='' code=0 findings=''
virtually() {
    local order=$1
    shift
    code=0
    output=$(LD_LIBRARY_PATH=$library VGPU_REPORT=json VGPU_ORDER=$order timeout 60 "$@" 2>&1) ||
        code=$?
    findings=$(grep '^{"finding"' <<< "$output" || true)
}

# Without what is long and says little.
shortened() {
    grep -v '^{"kernel"' <<< "$output" | sed 's/"severity".*"message"/"message"/' | head -n 8
}

check_correct() {
    local source=$1 program name order digest
    program=$(program_of "$source")
    for name in $(LD_LIBRARY_PATH=$library "$program"); do
        digest=''
        for order in $orders; do
            virtually "$order" "$program" "$name"
            digest=${digest:-$(grep '^digest' <<< "$output" || echo none)}
            if [ "$code" -eq 0 ] && [ -z "$findings" ] && grep -qxF "$digest" <<< "$output"; then
                ok "$(basename "$program"), $name, $order"
            else
                not_ok "$(basename "$program"), $name, $order" "exit code $code" "$(shortened)"
            fi
        done
    done
}

# announced WORD FILE: the value of word=… in the first line, 0 if it is not there
announced() {
    local value
    value=$(sed -n "1s/.* $1=\([^ ]*\).*/\1/p" "$2")
    echo "${value:-0}"
}

# found WORD LINE OTHER
found() {
    grep -q "^{\"finding\":\"$1\".*\"line\":$2,.*\"other_line\":$3," <<< "$findings"
}

check_faulty() {
    local source=$1 program word line other settings order
    program=$(program_of "$source")
    word=$(announced finding "$source") line=$(announced line "$source")
    other=$(announced other "$source")
    settings=$(sed -n '1s/.* \(VGPU_[A-Z]*=[^ ]*\).*/\1/p' "$source")
    for order in $orders; do
        virtually "$order" env ${settings:+"$settings"} "$program"
        if [ "$(grep -c . <<< "$findings")" -eq 1 ] && [ "$code" -ne 124 ] &&
            { found "$word" "$line" "$other" || found "$word" "$other" "$line"; }; then
            ok "$(basename "$program"), $order"
        else
            not_ok "$(basename "$program"), $order" "expected: $word at line $line, $other" \
                "exit code $code" "$(shortened)"
        fi
    done
}

# ---- counters ------------------------------------------------------------------------------------

# same_counters TABLE: every row, every column
same_counters() {
    local table=$1
    LD_LIBRARY_PATH=$library VGPU_REPORT=none "$programs/access_patterns" > "$programs/counters.tsv"
    diff <(tail -n +2 "$table") "$programs/counters.tsv"
}

differing_counters() {
    sed '7s/128/129/' "$corpus/access_patterns.tsv" > "$programs/wrong.tsv"
    ! same_counters "$programs/wrong.tsv" > /dev/null
}

# --------------------------------------------------------------------------------------------------

if [ -e "$library/libcudart.so" ]; then
    compile_all
else
    not_ok "the virtual GPU is built" "make $library/libcudart.so"
fi
if [ "$failed" -eq 0 ]; then
    for source in "$corpus"/correct/*.cu; do check_correct "$source"; done
    for source in "$corpus"/faulty/*.cu; do check_faulty "$source"; done
    check "access patterns cost what they cost on an H200" same_counters "$corpus/access_patterns.tsv"
    check "a wrong counter is found" differing_counters
fi
finish
