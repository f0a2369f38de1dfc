#!/usr/bin/env bash
# Grading many files: what the table, the page of mistakes and the lines say; names of every kind;
# files that cannot be graded; a second run; an interruption. And what the compiler may take.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
homework=hw1_vector_add
topic=vector_add
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
class=$scratch/class
# A build folder of its own: the results of others stay as they are.
export BUILD=$scratch/build DEVICE=virtual TASK=3 HW=1 SEED='' STUDENT='' RUN='' CASE='' V=0
mkdir -p "$BUILD" "$class"
for part in toolchain "$homework" virtual_gpu; do
    ln -s "$PWD/$build/$part" "$BUILD/$part"
done
table=$BUILD/results/$homework.csv
mistakes=$BUILD/results/hw1_mistakes.md
said=$scratch/output

# grade FILE [VARIABLE=VALUE…]: leaves the output and the exit code.
grade() {
    local file=$1
    shift
    code=0
    env FILE="$file" "$@" grader/tools/grade.sh grade "$homework" > "$said" 2>&1 || code=$?
}

object_of() { bash -c ". grader/tools/candidate.sh; object_path '$1' $homework"; }

# exits CODE: as the last grading did.
exits() {
    [ "$code" -eq "$1" ] || { echo "exit code $code" && cat "$said" && return 1; }
}

# has FILE LINE…: each stands in the file, as a whole line.
has() {
    local file=$1 line
    shift
    for line in "$@"; do
        grep -qxF -- "$line" "$file" || { echo "no line \"$line\" in" && cat "$file" && return 1; }
    done
}

# says PATTERN: the output has a line like this.
says() { grep -qE -- "$1" "$said" || { cat "$said" && return 1; }; }

# submit STUDENT SOURCE: the student's file, a copy.
submit() {
    mkdir -p "$class/$1"
    cp "$2" "$class/$1/$topic.cu"
}

# ---- a class -------------------------------------------------------------------------------------

submit ana "$homework/${topic}_solution.cu"
submit "ben, jr" "$homework/$topic.cu"
submit "zoé \"z\" o'k" "$homework/wrong/b_read_transposed.cu"
submit "=1+1" "$homework/$topic.cu"
# shellcheck disable=SC2016 # a name that a shell would run
trap_name='$(touch ran)`touch ran`'
mkdir -p "$class/$trap_name"
cat > "$class/$trap_name/beside.h" <<< 'this does not compile;'
cat > "$class/$trap_name/$topic.cu" <<< '#include "beside.h"'
mkdir -p "$class/nobody/$topic.cu"

grade "$class/*/$topic.cu"
check "some could not be graded: exit code 3" exits 3
check "a line for a file that passes" says '^[1-6] of 6  ana +23 / 23 +[0-9.]+ s$'
check "a line for a file that does not compile" says '^. of 6  \$\(touch.* 0 / 23 +[0-9.]+ s  does not compile$'
check "a line for a folder" says '^. of 6  nobody +not graded: it is a folder: name the .cu file in it$'
check "how many were graded" says '^graded +5 of 6 files$'

# The rows with the seconds cut out, and the seed that was drawn.
rows() { sed -E 's/,[0-9]+\.[0-9],/,S,/; s/,S,[a-f][0-9a-f]{7},/,S,DRAWN,/' "$table" > "$scratch/rows"; }
rows
none=,,,,
check "the table's rows" has "$scratch/rows" \
    "ana,$class/ana/$topic.cu,23,23,0$none$none,PASS,23,,,S,DRAWN," \
    "\"ben, jr\",\"$class/ben, jr/$topic.cu\",0,23,0$none$none,NOT ATTEMPTED,0,not-attempted,,S,DRAWN," \
    "\"zoé \"\"z\"\" o'k\",\"$class/zoé \"\"z\"\" o'k/$topic.cu\",0,23,0$none$none,WRONG ANSWER,0,b-read-transposed,,S,DRAWN," \
    "'=1+1,$class/=1+1/$topic.cu,0,23,0$none$none,NOT ATTEMPTED,0,not-attempted,,S,DRAWN," \
    "nobody,$class/nobody/$topic.cu,,,$none$none$none,,,it is a folder: name the .cu file in it"
check "the table's head" has "$table" "$(printf 'student,file,points,max_points,stars%s%s%s,seconds,seed,not graded because' \
    "$(printf ',hw1.1 %s' verdict points diagnosis 'speed share')" \
    "$(printf ',hw1.2 %s' verdict points diagnosis 'speed share')" \
    "$(printf ',hw1.3 %s' verdict points diagnosis 'speed share')")"
check "as many rows as files" test "$(wc -l < "$table")" -eq 7
check "frequent mistakes" has "$mistakes" "## b-read-transposed: 1 student" \
    "## compile-error: 1 student" "For example \`$class/zoé \"z\" o'k/$topic.cu\`:" \
    "    FAIL  hw1.3  matrix product with a two-dimensional grid    0 / 23  WRONG ANSWER" \
    "hw1.3: 2." "- \`$class/nobody/$topic.cu\`: it is a folder: name the .cu file in it"
check "a student's text is kept" grep -q 'FAIL  hw1.3' "$BUILD/results/$homework/zoé \"z\" o'k.txt"
check "a header beside the file is found, whatever the folder's name" \
    grep -q 'beside.h' "$BUILD/results/$homework/$trap_name.txt"
check "no name is run as a command" test ! -e ran
rm -f ran

# ---- a second run --------------------------------------------------------------------------------

kept() { grep -c 'graded before$' "$said" || true; }
rm -r "$class/nobody" "${class:?}/$trap_name"
cp "$table" "$scratch/first.csv"
grade "$class/*/$topic.cu"
check "every file was graded: exit code 0" exits 0
check "nothing is graded twice" test "$(kept)" -eq 4
check "and the table is the same" has "$table" "$(grep '^ana' "$scratch/first.csv")"
echo "// changed" >> "$class/ben, jr/$topic.cu"
grade "$class/ben*/$topic.cu $class/ana/$topic.cu"
check "several patterns in one FILE" says '^2 of 2  ana'
check "a changed file is graded again" test "$(kept)" -eq 1
grade "$class/ben*/$topic.cu" SEED=abc
check "another seed counts as another grading" test "$(kept)" -eq 0
grade "$class/ben*/$topic.cu" SEED=abc FRESH=1
check "FRESH=1 grades again" test "$(kept)" -eq 0

# ---- the seed ------------------------------------------------------------------------------------

seed_file=$BUILD/results/$homework.seed
grade "$class/ben*/$topic.cu"
drawn=$(cat "$seed_file")
check "a seed is drawn and kept" grep -qxE '[a-f][0-9a-f]{7}' "$seed_file"
check "and said" says "^seed +$drawn$"
check "it is not the one that everybody knows" test "$drawn" != 7f3a
check "it is in the table" grep -qE ",[0-9.]+,$drawn,$" "$table"
check "and in the record" grep -q "\"seed\":\"$drawn\"" "$BUILD/results/$homework/ben, jr.jsonl"
check "SEED= did not replace it, and results of both are not mixed" test "$(kept)" -eq 0
grade "$class/ben*/$topic.cu" SEED=abc
check "SEED= is said instead" says "^seed +abc$"
check "and stands in the table" grep -qE ",[0-9.]+,abc,$" "$table"
check "the drawn one stays for the next run" test "$(cat "$seed_file")" = "$drawn"
grade "$class/ben*/$topic.cu" FRESH=1
check "FRESH=1 draws another" test "$(cat "$seed_file")" != "$drawn"
echo 7f3a > "$seed_file"
grade "$class/ben*/$topic.cu"
check "one that nobody has drawn is not taken" says "^seed +[a-f][0-9a-f]{7}$"

# ---- stopped -------------------------------------------------------------------------------------

# Interrupts as soon as the first line is there, as a terminal would: the whole group.
interrupt() {
    local line group lines=$scratch/lines
    rm -f "$lines"
    mkfifo "$lines"
    set -m
    FRESH=1 FILE="$class/*/$topic.cu" grader/tools/grade.sh grade "$homework" > "$lines" 2>&1 &
    group=$!
    set +m
    while IFS= read -r line; do
        echo "$line"
        [[ $line != '1 of 4'* ]] || kill -INT -- "-$group"
    done < "$lines" > "$said"
    code=0
    wait "$group" || code=$?
}
if [[ $(trap -p INT) == *"''"* ]]; then
    skip "a class that is stopped" "whoever runs this test lets no interrupt through"
else
    interrupt
    check "stopped: exit code 130" exits 130
    first=$(sed -n 's/^1 of 4  \([^ ]*\).*/\1/p' "$said")
    check "what was graded is in the table" grep -qF -- "$first,$class/$first/$topic.cu,0,23,0" "$table"
    check "the others are in it, too" test "$(grep -c 'stopped before its turn' "$table")" -ge 2
    grade "$class/*/$topic.cu"
    check "the same command goes on" test "$(kept)" -ge 1
    check "and comes to the end" exits 0

    # The compiler has a process group of its own.
    cat > "$scratch/endless.cu" <<'CU'
template <class A, int n> struct tree {
    static constexpr int size = tree<tree<A, 0>, n - 1>::size + tree<tree<A *, 0>, n - 1>::size;
};
template <class A> struct tree<A, 0> {
    static constexpr int size = 1;
};
int leaves = tree<int, 40>::size;
CU
    at_work() { grep -lsaz '^.*[e]ndless.cu$' /proc/[0-9]*/cmdline; }
    for pattern in "$scratch/endless.cu" "$scratch/endles[s].cu"; do
        set -m
        FILE=$pattern COMPILE_S=60 grader/tools/grade.sh grade "$homework" > "$said" 2>&1 &
        group=$!
        set +m
        for ((i = 0; i < 300; i++)); do
            [ -z "$(at_work)" ] || break
            sleep 0.1
        done
        check "a compiler is at work" test "$i" -lt 300
        start=$SECONDS
        kill -INT -- "-$group" || true
        wait "$group" || true
        check "Ctrl-C ends a compiler" test $((SECONDS - start)) -lt 20
        check "and leaves none behind" test -z "$(at_work)"
    done
fi

# ---- which files ---------------------------------------------------------------------------------

grade "$class/none-*.cu"
check "a pattern that matches nothing" exits 2
check "says so" says "^FILE=$class/none-\*\.cu: there is no such file\.$"
grade "$class/ana/$topic.cu $class/ana/../ana/$topic.cu $class/missing.cu"
check "a file that is named twice" says 'is named twice, and graded once'
check "a file that is missing" says '^2 of 2  class +not graded: there is no such file$'
check "needs exit code 3" exits 3
cp "$class/ana/$topic.cu" "$scratch/a b.cu"
cp "$class/ana/$topic.cu" "$scratch/c.txt"
grade "$scratch/a\\ b.cu $scratch/c.txt"
check "a blank with a backslash, and names by file where the folder is one" says '^1 of 2  a b '
check "a file that is no .cu" says '^2 of 2  c.txt +not graded: its name does not end in .cu$'
ln -s "$class/ana/$topic.cu" "$scratch/linked.cu"
grade "$scratch/linked.cu $scratch/a\\ b.cu"
check "a link out of its folder, which could lead to any file of the teacher" \
    says "^1 of 2  linked +not graded: it is a link to a file elsewhere"
grade "$class/ana/*.cu $scratch/a*b.cu" TASK=9
check "a task that the homework has not" exits 2
mkdir -p "$scratch"/{p,q}/ana
cp "$homework/$topic.cu" "$scratch/p/ana/"
cp "$homework/wrong/b_read_transposed.cu" "$scratch/q/ana/$topic.cu"
grade "$scratch/[pq]/ana/$topic.cu"
rows
check "files of the same name have an object each" test "$(object_of "$scratch/p/ana/$topic.cu")" \
    != "$(object_of "$scratch/q/ana/$topic.cu")"
check "folders of the same name are told apart" has "$scratch/rows" \
    "$scratch/p/ana/$topic,$scratch/p/ana/$topic.cu,0,23,0$none$none,NOT ATTEMPTED,0,not-attempted,,S,DRAWN," \
    "$scratch/q/ana/$topic,$scratch/q/ana/$topic.cu,0,23,0$none$none,WRONG ANSWER,0,b-read-transposed,,S,DRAWN,"

# ---- a grader that does not come to its end ------------------------------------------------------

cat > "$scratch/dies" <<'SH'
#!/bin/sh
case "$*" in *ana*) kill -KILL $$ ;; esac
exec "$@"
SH
chmod +x "$scratch/dies"
grade "$class/ana/*.cu $class/ben*/*.cu" RUN="$scratch/dies" FRESH=1
check "a grader that was killed does not end the class" says '^2 of 2  ben, jr'
check "it is no student's result" says '^1 of 2  ana +not graded: the grader was ended by signal 9 meanwhile'
check "and costs nobody points" grep -q '^ana,[^,]*,,,,' "$table"
grade "$class/*/*.cu" DEVICE=gpu CUDA_VISIBLE_DEVICES='' FRESH=1
check "without a device nothing is graded" exits 77
check "and it is said once" test "$(grep -c 'CANNOT GRADE' "$said")" -eq 1
check "in so many words" says '^Nothing was graded\.$'
cat > "$scratch/loses" <<'SH'
#!/bin/sh
case "$*" in *ben*) CUDA_VISIBLE_DEVICES='' exec "$@" --device=gpu ;; esac
exec "$@"
SH
chmod +x "$scratch/loses"
grade "$class/ana/*.cu $class/ben*/*.cu" RUN="$scratch/loses" FRESH=1
check "a device that is lost ends a class" exits 77
check "and not what was graded before" says '^Graded before that: 1 of 2 files\.'

# ---- one student's code and what is not its own --------------------------------------------------

submit mia "$homework/${topic}_solution.cu"
cat >> "$class/mia/$topic.cu" <<'CU'
#include <stdlib.h>
__attribute__((constructor)) static void take_points()
{
    if (system("sed -i 's/\"points\":[0-9]*/\"points\":1/' \"$BUILD\"/results/*/ana.jsonl"))
        return;
}
CU
grade "$class/ana/*.cu $class/mia/*.cu" FRESH=1
check "a record that another student's code changes is restored" says '^The record of ana was changed'
check "and keeps its points" grep -q '^ana,[^,]*,23,' "$table"
grade "$class/mia/*.cu $class/ana/*.cu"
check "an earlier run's, too" grep -q '^ana,[^,]*,23,' "$table"
rm "$BUILD/$homework"
cp -r "$PWD/$build/$homework" "$BUILD/$homework"
cp "$homework/${topic}_solution.cu" "$class/mia/$topic.cu"
cat >> "$class/mia/$topic.cu" <<'CU'
#include <stdlib.h>
__attribute__((constructor)) static void slow_down()
{
    if (system("echo >> \"$BUILD\"/hw1_vector_add/baseline.so"))
        return;
}
CU
grade "$class/mia/*.cu $class/ana/*.cu" FRESH=1
check "who changes the grader gets no points" says '^1 of 2  mia +not graded: files of the grader were changed'
check "and nobody after it is judged by that" says '^2 of 2  ana +not graded: files of the grader were changed by mia$'
grade "$class/mia/$topic.cu" FRESH=1
check "a file alone is no better off" exits 2
rm -r "${BUILD:?}/$homework" "$class/mia"
ln -s "$PWD/$build/$homework" "$BUILD/$homework"

drawn=$(cat "$seed_file")
submit mia "$homework/${topic}_solution.cu"
cat >> "$class/mia/$topic.cu" <<'CU'
#include <stdlib.h>
__attribute__((constructor)) static void choose_the_next_seed()
{
    if (system("echo abcdef01 > \"$BUILD\"/results/hw1_vector_add.seed"))
        return;
}
CU
grade "$class/mia/*.cu"
check "a seed that a student's code has chosen for the next time does not stay" \
    test "$(cat "$seed_file")" = "$drawn"

echo '#include "../ana/vector_add.cu"' > "$class/mia/$topic.cu"
grade "$class/mia/*.cu"
check "who includes another student's file gets no points" says '^1 of 1  mia +0 / 23 .* does not compile$'
check "and is told why" grep -q 'error: it includes a file that is not its own:' "$BUILD/results/$homework/mia.txt"
cp "$homework/${topic}_solution.cu" "$class/mia/helper.cuh"
echo '#include "helper.cuh"' > "$class/mia/$topic.cu"
grade "$class/mia/*.cu"
check "a helper beside the file is its own" says '^1 of 1  mia +23 / 23 '
echo '// changed' >> "$class/mia/helper.cuh"
grade "$class/mia/*.cu"
check "and when it changes, the file is graded again" test "$(kept)" -eq 0
rm -r "$class/mia"
ln -s ana "$class/mia"
grade "$class/ana/*.cu $class/ben*/*.cu $class/mia/*.cu"
check "a folder that leads to another student's" \
    says "^3 of 3  mia +not graded: it is the same file as $class/ana/$topic.cu: a link leads there$"
rm "$class/mia"

# ---- answers that were brought along -------------------------------------------------------------

# In hw4 an answer is small. The reference, made to write down what it answers, under the seed that
# everybody knows; then a file that knows these answers by the number of the call.
homework=hw4_reduction topic=reduction HW=4
ln -s "$PWD/$build/$homework" "$BUILD/$homework"
remembered=$scratch/remembered
sed -E 's/\b(sum_tree|find_maximum)\(/right_\1(/' "$homework/${topic}_solution.cu" > "$scratch/notes.cu"
cat >> "$scratch/notes.cu" <<'CU'
#include <stdio.h>
static cudaError_t note(cudaError_t status, const char *task, const void *value, const void *index)
{
    unsigned bits[2] = {0, 0};
    char path[4096];
    if (status != cudaSuccess)
        return status;
    cudaDeviceSynchronize();
    cudaMemcpy(&bits[0], value, 4, cudaMemcpyDeviceToHost);
    if (index)
        cudaMemcpy(&bits[1], index, 4, cudaMemcpyDeviceToHost);
    snprintf(path, sizeof path, "%s.%s", NOTES, task);
    FILE *notes = fopen(path, "a");
    if (notes) {
        fprintf(notes, "{%uu, %uu},\n", bits[0], bits[1]);
        fclose(notes);
    }
    return status;
}
cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return note(right_sum_tree(in, out, n, threads, stream), "sum", out, NULL);
}
cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    return note(right_find_maximum(in, value, index, n, scratch, stream), "maximum", value, index);
}
CU
sed -i "1i #define NOTES \"$remembered\"" "$scratch/notes.cu"
grade "$scratch/notes.cu"
check "the answers of the known seed are written down" test -s "$remembered.maximum"
mkdir -p "$class/noa"
mv "$remembered.maximum" "$class/noa/answers.h"
cat > "$class/noa/$topic.cu" <<'CU'
static const struct { unsigned bits, index; } answers[] = {
#include "answers.h"
};
static __global__ void answer(float *value, unsigned *index, unsigned bits, unsigned at)
{
    *value = __uint_as_float(bits);
    *index = at;
}
cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    static size_t call;
    if (n == 0)
        return cudaErrorInvalidValue;
    const auto now = answers[call++ % (sizeof answers / sizeof answers[0])];
    answer<<<1, 1, 0, stream>>>(value, index, now.bits, now.index);
    return cudaGetLastError();
}
CU
grade "$class/noa/$topic.cu"
check "a file that remembers them passes alone" exits 0
grade "$class/noa/*.cu"
check "and gets nothing in a class" says '^1 of 1  noa +0 / 17 '
for seed in 1 2; do
    grade "$scratch/notes.cu" TASK=1 SEED=$seed
    mv "$remembered.sum" "$remembered.$seed"
done
check "where time is taken, another seed asks for other answers, too" \
    test "$(tail -n 2 "$remembered.1")" != "$(tail -n 2 "$remembered.2")"
homework=hw1_vector_add topic=vector_add HW=1

# ---- odd files -----------------------------------------------------------------------------------

mkdir "$class/mia"
ln -s "$topic.cu" "$class/mia/$topic.cu"
grade "$class/ana/*.cu $class/mia/*.cu"
check "a link that leads to itself keeps no other file from its turn" says '^1 of 2  ana +23 / 23 '
check "and is not graded" says '^2 of 2  mia +not graded: it is no file$'
rm -r "$class/mia"
iconv -f UTF-8 -t UTF-16 "$homework/${topic}_solution.cu" > "$scratch/utf16.cu"
grade "$scratch/utf16.cu"
check "UTF-16 text" says '^ *nvcc +error: the file is UTF-16 text'
check "what to do with it" says '^ *likely +Save it as UTF-8'
check "costs the points" exits 1
{
    for i in {1..1000}; do printf '#warning %d %0200d\n' "$i" 0; done
    echo 'int x = forgotten;'
} > "$scratch/warnings.cu"
grade "$scratch/warnings.cu"
check "an error behind more warnings than are kept" says '^ *nvcc +error: identifier "forgotten" is undefined$'
long=$(printf '%0240d' 0)
mkdir -p "$scratch/$long"
cp "$homework/${topic}_solution.cu" "$scratch/$long/$long.cu"
grade "$scratch/$long/$long.cu"
check "names as long as a file system takes" exits 0
check "a record of it is kept" compgen -G "$BUILD/results/$homework/*$(printf '%0100d' 0).cu.jsonl"

# ---- two at once ---------------------------------------------------------------------------------

if command -v flock > /dev/null; then
    exec 9> "$BUILD/results/$homework/.lock"
    flock -n 9
    grade "$class/ana/*.cu"
    exec 9>&-
    check "a class that is being graded already: exit code 2" exits 2
    check "says so" says '^A class is being graded in .* already'
    grade "$class/ana/*.cu"
    check "and has its turn afterwards" exits 0
else
    skip "a class that is being graded already" "there is no flock"
fi

# ---- a full disk ---------------------------------------------------------------------------------

# shellcheck disable=SC2016 # for that script
printf '%s\n' '#!/bin/sh' 'case "$*" in *-shared*) ;; *) exec "$REAL_NVCC" "$@" ;; esac' \
    'cat "${0%/*}/message"' 'exit 1' > "$scratch/nvcc"
chmod +x "$scratch/nvcc"
rm "$BUILD/toolchain"
sed "s,^NVCC=\\(.*\\),export REAL_NVCC=\\1 NVCC='$scratch/nvcc'," "$build/toolchain" > "$BUILD/toolchain"
while IFS= read -r message; do
    echo "$message" > "$scratch/message"
    grade "$class/ana/*.cu"
    check "a full disk is no fault of a file's: $message" says '^1 of 1  ana +not graded: it could not be compiled, and not for'
done << 'END'
a.cu:1:1: fatal error: error writing to /tmp/a.s: No space left on device
cc1plus: fatal error: when writing output to /tmp/a.ii: No such file or directory
error: error while writing generated C++ file: No space left on device
/usr/bin/ld: final link failed: No space left on device
END
check "which is not graded" exits 3
check "and says why" grep -q 'no space was left' "$BUILD/results/$homework/ana.txt"
grade "$class/ana/$topic.cu"
check "so where it is graded alone" says 'no space was left .* it was not graded\.$'
check "and nothing is said to be wrong with it" bash -c "! grep -q 'DOES NOT COMPILE' '$said'"
check "exit code 2" exits 2
echo 'a.cu(2): error: static assertion failed with "writing: No space left on device"' > "$scratch/message"
grade "$class/ana/$topic.cu"
check "what only speaks of a full disk does not compile" says '^DOES NOT COMPILE'
ln -sf "$PWD/$build/toolchain" "$BUILD/toolchain"
grade "$class/ana/*.cu"
check "with room again it is graded" says '^1 of 1  ana +23 / 23 '

# ---- the compiler --------------------------------------------------------------------------------

cat > "$scratch/templates.cu" <<'CU'
template <class A, int depth> struct tree {
    static constexpr int size =
        tree<tree<A, 0>, depth - 1>::size + tree<tree<A *, 0>, depth - 1>::size;
};
template <class A> struct tree<A, 0> {
    static constexpr int size = 1;
};
int leaves = tree<int, 40>::size;
CU
printf '#include __FILE__\n#include __FILE__\n' > "$scratch/include.cu"
grade "$scratch/templates.cu" COMPILE_MIB=400
check "templates without end" says '^ *(nvcc +)?error: the compiler was stopped at 400 MiB of memory$'
check "cost the points" exits 1
grade "$scratch/include.cu" COMPILE_S=2
check "a header without end" says '^ *(nvcc +)?error: the compiler was stopped after 2 s$'
grade "$class/ana/$topic.cu" COMPILE_MIB=1000 COMPILE_S=120
check "a right file compiles with much less than is allowed" exits 0

finish
