#!/usr/bin/env bash
# make bundle: the archive holds what grading needs and no answer, and works where it is unpacked.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh
# shellcheck source=grader/tests/homeworks.sh
. grader/tests/homeworks.sh

root=$PWD
build=$(cd "${BUILD:-build}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HW TASK FILE CASE N LEVEL SEED RUN MAKEFLAGS MAKELEVEL BUILD
most_lines_percent=20  # of a solution that any other file may share with it by chance
most_hint_percent=40   # hints are nearly the answer

if ! output=$(BUILD="$scratch/build" grader/tools/bundle.sh 2>&1); then
    not_ok "the bundle is made" "$output"
    finish
    exit
fi
ok "the bundle is made"
tar -xzf "$scratch/build/workbook.tar.gz" -C "$scratch"
before=$(sha256sum "$scratch/build/workbook.tar.gz")
mkdir "$scratch/bin"
# shellcheck disable=SC2016 # for that script
printf '#!/bin/sh\necho half > "$2"\nexit 130\n' > "$scratch/bin/tar"
chmod +x "$scratch/bin/tar"
PATH=$scratch/bin:$PATH BUILD=$scratch/build grader/tools/bundle.sh > /dev/null 2>&1 || true
check "a run that is interrupted leaves the archive of the last one" \
    test "$(sha256sum "$scratch/build/workbook.tar.gz")" = "$before"
cd "$scratch/workbook"

# --- what is inside ---

holds_no() { ! find . -path "$1" | grep .; }
for pattern in '*_solution.cu' './solutions*' '*/wrong*' '*/cheats*' '*/tests*' '*/accepted*' './.git' './build*' './STYLE.md'; do
    check "no $pattern" holds_no "$pattern"
done
check "no marks of a solution" bash -c "! grep -rlE 'SOLVED\(hw' . --include='*.cu' --include='*.h' --include='*.md'"
says_nothing_of() { ! grep -n "$1" README.md; }
for words in solutions/ 'make setup test' instructors; do
    check "its page says nothing of $words" says_nothing_of "$words"
done

# Lines that a solution has between SOLVED and END, long enough to mean something.
lines_of() { sed -n '/SOLVED(hw/,/END(hw/p' "$1" | sed 's/^ *//' | awk 'length > 30' | sort -u; }

tells_little() {
    local homework=$1 lines file shared most told=
    lines=$scratch/lines
    lines_of "$root/$homework/$(topic_of "$homework")_solution.cu" > "$lines"
    while IFS= read -r file; do
        shared=$(sed 's/^ *//' "$file" | sort -u | comm -12 - "$lines" | wc -l)
        most=$most_lines_percent
        [[ $file != */hints.md ]] || most=$most_hint_percent
        [ $((100 * shared)) -le $((most * $(wc -l < "$lines"))) ] || told+="$file: $shared of $(wc -l < "$lines") lines "
    done < <(find . -type f)
    [ -z "$told" ] || { echo "$told" && return 1; }
}
for homework in hw*_*; do
    check "$homework: no file tells its solution" tells_little "$homework"
done

# Links of the texts lead to files that are there.
broken_links() {
    local file target
    while IFS=: read -r file target; do
        [[ $target =~ ^(http|#) || $target != *[./]* ]] || [ -e "$(dirname "$file")/${target%%#*}" ] || echo "$file: $target"
    done < <(grep -roE --include='*.md' '\]\([^) ]+\)' . | sed -E 's/\]\(([^)]*)\)/\1/')
}
no_broken_links() { [ -z "$(broken_links)" ] || { broken_links && return 1; }; }
check "no link leads nowhere" no_broken_links

# --- what it can do ---

says() {
    local name=$1 wanted=$2 text=$3 output code=0
    shift 3
    output=$("$@" 2>&1 < /dev/null) || code=$?
    if [ "$code" -ne "$wanted" ] || ! grep -qF -- "$text" <<< "$output"; then
        not_ok "$name" "exit $code, wanted $wanted with \"$text\"" "$output"
    elif grep -q 'No such file\|not found' <<< "$output"; then
        not_ok "$name" "something is missing" "$output"
    else
        ok "$name"
    fi
}

says "make lists the commands" 0 "make grade" make
check "and none for the class" bash -c "! make | grep -q 'solution\|make test\|make demo'"
for goal in solution test demo live sheet bundle calibrate benchmark; do
    says "make $goal is not in it" 2 "not in the students' bundle" make "$goal"
done
says "make hint" 0 "hw4.2, hint 1 of 3" make hint HW=4 TASK=2 LEVEL=1
says "make setup" 0 "" make -n setup

# What this tree has compiled from the same files is taken along: only what is missing is made.
mkdir -p build/virtual_gpu
cp -a "$build/toolchain" "$build/grader" build/
cp -a "$build"/virtual_gpu/*.inc build/virtual_gpu/
for homework in hw1_vector_add hw4_reduction; do
    mkdir "build/$homework"
    cp -a "$build/$homework"/grader.c.* "$build/$homework/checks" "build/$homework/"
done
says "hw1 as shipped is not attempted" 2 "hw1    total               0 / 100" make grade HW=1 DEVICE=virtual
says "nothing is broken" 2 "that is expected, nothing is broken" make grade HW=1 DEVICE=virtual
cp "$root/hw4_reduction/reduction_solution.cu" hw4_reduction/reduction.cu
says "the right answer gets every point" 0 "total             100 / 100" make grade HW=4 DEVICE=virtual
says "make try" 0 "hw4.6" make try HW=4 TASK=6 N=8 DEVICE=virtual
says "make profile" 0 "limiter" make profile HW=4 TASK=5 DEVICE=virtual
says "make sanitize" 0 "" make sanitize HW=4 TASK=6 DEVICE=virtual
says "make doctor" 0 "" make doctor

# --- what is refused ---

cd "$root"
mkdir -p "$scratch/tree/grader/tools" "$scratch/tree/hw4_reduction"
cp Makefile README.md "$scratch/tree"
cp grader/tools/bundle.sh "$scratch/tree/grader/tools"
cp hw4_reduction/reduction.cu hw4_reduction/grader.c "$scratch/tree/hw4_reduction"
cd "$scratch/tree"
says "a tree without git" 0 "workbook.tar.gz" grader/tools/bundle.sh
sed -i '/TODO(hw4.6)/,/END(hw4.6)/s/return cudaErrorNotYetImplemented;.*/return cudaSuccess;/' hw4_reduction/reduction.cu
says "a skeleton in which a task is solved" 2 "something is filled in" grader/tools/bundle.sh
cp "$root/hw4_reduction/reduction_solution.cu" hw4_reduction/reduction.cu
says "a reference in the place of the skeleton" 2 "something is filled in" grader/tools/bundle.sh

finish
