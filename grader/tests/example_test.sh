#!/usr/bin/env bash
# The homework that grader/README.md walks through becomes a ninth one, in a copy of the tree and by
# the commands that stand there: nothing but its own files is needed, and it holds to every rule.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

tree=$PWD
export BUILD=${BUILD:-build}
scratch=$(mktemp -d)
unset HW TASK FILE CASE N LEVEL SEED MAKEFLAGS MAKELEVEL

# What is built goes into the tree's own build folder, which has the machinery, and out of it again.
clean_up() {
    cd "$tree"
    rm -rf "$scratch" "$BUILD/hw9_histogram" "$BUILD"/grader/{tests/accepted,cheats}/hw9_histogram \
        "$BUILD"/{cheats,results,hints}/hw9_histogram "$BUILD"/files/hw9_histogram_* \
        "$BUILD"/tests/verdicts/hw9_histogram-*
}
trap clean_up EXIT

# Folders of its own, so that files can be added; every file is a link.
copy_the_tree() {
    cp -rs "$tree/grader" "$scratch/"
    ln -s "$tree/Makefile" "$scratch/"
    case $BUILD in
    /*) ;;
    *) mkdir -p "$scratch/$(dirname "$BUILD")" && ln -s "$tree/$BUILD" "$scratch/$BUILD" ;;
    esac
}

# The commands of grader/README.md.
add_the_homework() {
    cp -r grader/example/hw9_histogram .
    cp -r grader/example/accepted grader/tests/accepted/hw9_histogram
    cp -r grader/example/cheats grader/cheats/hw9_histogram
}

# says EXIT TEXT COMMAND…: the command ends with that code and its output holds the text.
says() {
    local wanted=$1 text=$2 output code=0
    shift 2
    output=$("$@" 2>&1 < /dev/null) || code=$?
    [ "$code" -eq "$wanted" ] && grep -qF -- "$text" <<< "$output" && return
    echo "exit $code, wanted $wanted with \"$text\":"
    echo "$output"
    return 1
}

copy_the_tree
cd "$scratch"
check "the files are copied" add_the_homework
sources=(hw9_histogram/wrong/*.cu grader/tests/accepted/hw9_histogram/*.cu
    grader/cheats/hw9_histogram/*.cu)
objects=("${sources[@]/#/$BUILD/}")
objects=("${objects[@]/%.cu/.so}")
check "its grader, references and candidates are built" make -j2 "$BUILD/hw9_histogram/grader" \
    "$BUILD"/hw9_histogram/{baseline,histogram,histogram_solution}.so "$BUILD/virtual_gpu/libcudart.so" \
    "${objects[@]}"

check "the homework is listed" says 2 hw9_histogram make grade HW=99
check "the reference passes" says 0 "100 / 100" make solution HW=9 DEVICE=virtual
check "the skeleton is not attempted" says 2 "NOT ATTEMPTED" make grade HW=9 DEVICE=virtual
check "a tiny input is shown" says 0 "expected" make try HW=9 N=8 DEVICE=virtual \
    FILE=hw9_histogram/histogram_solution.cu
check "a hint is given" says 0 "hint 3 of 3" make hint HW=9 TASK=1 LEVEL=3
check "the files agree with each other" env HW=9 grader/tests/structure_test.sh
for source in "${sources[@]}" hw9_histogram/histogram.cu hw9_histogram/histogram_solution.cu; do
    line=$(DEVICE=virtual grader/tests/verdict.sh virtual hw9_histogram "$source" 2>&1 || true)
    case $line in
    "ok - "*) ok "${line#ok - }" ;;
    *) not_ok "$source" "$line" ;;
    esac
done

finish
