#!/usr/bin/env bash
# The archive for students: bundle.sh    writes BUILD/workbook.tar.gz
#
# Everything that make grade, try, replay, hint, sanitize, profile, doctor and setup need, and nothing
# that tells an answer: no references, rungs, wrong answers, accepted solutions or cheats, and none of
# the project's own tests. A skeleton in which something is filled in is refused. Exit code: 0, or 2
# with a sentence.
set -euo pipefail

build=${BUILD:-build}
name=workbook
folder=$build/bundle/$name
archive=$build/$name.tar.gz

refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

# The files of the project, one a line: those that git tracks, or, in an unpacked archive, all.
project_files() {
    git ls-files 2> /dev/null ||
        find . -type f -not -path "./$build/*" -not -path './.*' | sed 's,^\./,,'
}

# Of those on standard input the ones that students get.
for_students() {
    grep -E '^(Makefile|README\.md|GLOSSARY\.md|\.gitignore|hw[0-9]+_[^/]*/|grader/)' |
        grep -vE '^hw[^/]*/(wrong/|[^/]*_solution\.cu$)' |
        grep -vE '^grader/(README\.md$|example/|tests/|cheats/|virtual_gpu/(README\.md$|tests/|benchmark/))' |
        grep -vE '^grader/tools/((demo|live|rung|ladder|sheet|bundle|calibrate|cheat)\.sh|[a-z_]*\.awk)$'
}

# Every task of a skeleton still returns NotYetImplemented somewhere between TODO and END.
is_unsolved() {
    ! grep -q 'SOLVED(hw' "$1" && awk '
        match($0, /TODO\(hw[0-9.]+\)/)  { task = substr($0, RSTART + 5, RLENGTH - 6); unsolved[task] += 0 }
        /cudaErrorNotYetImplemented/    { unsolved[task]++ }
        /END\(hw[0-9.]+\)/             { task = "" }
        END {
            delete unsolved[""]
            for (task in unsolved) {
                tasks++
                solved += unsolved[task] == 0
            }
            exit solved > 0 || tasks == 0
        }' "$1"
}

check_skeletons() {
    local grader homework skeleton
    for grader in hw*_*/grader.c; do
        homework=${grader%/*}
        skeleton=$homework/${homework#*_}.cu
        is_unsolved "$skeleton" ||
            refuse "$skeleton: something is filled in there, and students would get it. Restore it" \
                "(git checkout -- $skeleton), then make bundle again."
    done
}

check_skeletons
rm -rf "$build/bundle"
mkdir -p "$folder" 2> /dev/null || refuse "$folder cannot be written: make bundle BUILD=FOLDER … puts it elsewhere."
project_files | for_students | while IFS= read -r file; do
    mkdir -p "$folder/$(dirname "$file")"
    cp -p "$file" "$folder/$file"
done
# What follows is for instructors and contributors; and the project's tests are not in it.
sed '/^That is all that a student needs/,$d; /^    make setup test /d' README.md > "$folder/README.md"
tar -czf "$archive.new" -C "$build/bundle" --sort=name --owner=0 --group=0 --numeric-owner "$name"
mv "$archive.new" "$archive" # an interrupted run leaves no half of one
rm -rf "$build/bundle"
echo "$archive: $(tar -tzf "$archive" | grep -vc '/$') files, $(du -h "$archive" | cut -f 1)B." \
    "Students unpack it and type make setup grade HW=1."
