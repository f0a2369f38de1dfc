#!/usr/bin/env bash
# What people type wrongly, and machines that lack something: a clear sentence, the right exit
# code, nothing lost.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HW TASK FILE CASE N LEVEL SEED MAKEFLAGS MAKELEVEL

# says NAME EXIT TEXT COMMAND…: the command ends with that code and its output holds the text.
says() {
    local name=$1 wanted=$2 text=$3 output code=0
    shift 3
    output=$("$@" 2>&1 < /dev/null) || code=$?
    if [ "$code" -ne "$wanted" ]; then
        not_ok "$name" "exit $code, wanted $wanted" "$output"
    elif ! grep -qF -- "$text" <<< "$output"; then
        not_ok "$name" "no \"$text\" in" "$output"
    else
        ok "$name"
    fi
}

# says_not NAME TEXT COMMAND…: its output, which is not empty, lacks the text.
says_not() {
    local name=$1 text=$2 output
    shift 2
    output=$("$@" 2>&1 < /dev/null) || true
    check "$name" test -n "$output" -a "${output/"$text"/}" = "$output"
}

grader() { "$build/hw1_vector_add/grader" "$@"; }

says "HW=99 lists the homeworks" 2 "hw1_vector_add" make grade HW=99
says "HW=four lists the homeworks" 2 "HW=four: there is no such homework" make grade HW=four
says "TASK=9 lists the tasks" 2 "TASK=2" make grade HW=1 TASK=9
says "a missing FILE" 2 "FILE=missing.cu: there is no such file" make grade HW=1 FILE=missing.cu
says "a FILE that lies in the folder of the homework" 2 "no such file; there is FILE=hw1_vector_add/vector_add.cu." \
    make grade HW=1 FILE=vector_add.cu
says "so where it is tried" 2 "no such file; there is FILE=hw1_vector_add/vector_add.cu." \
    make try HW=1 FILE=vector_add.cu
says "a mistyped variable grades nothing" 2 "TAKS= is no variable of this workbook: there are HW TASK" \
    make grade HW=1 TAKS=2
says "nor does one in lower case" 2 "hw= is no variable" make grade hw=1
says "one of the environment is not looked at" 0 "make grade" env TAKS=2 make help
says "one that a page names is accepted" 0 "make grade" make help VGPU_MEMORY=1 MEMORY_MIB=4096
says "TASK=1.2 is TASK=2" 2 "TODO  hw1.2" make grade HW=1 TASK=1.2
says "a star task that was asked for: what Make's error means" 2 "Error\" below only means" \
    make grade HW=8 TASK=6 DEVICE=virtual
says "TASK=4.2 is no task of homework 1" 2 "TASK=4.2: hw1_vector_add has no such task" \
    make grade HW=1 TASK=4.2
says "FILE without HW" 2 "FILE= needs HW=" make grade FILE=missing.cu
says "replay without CASE" 2 "replay needs the line" make replay HW=1 TASK=1
says "N=0" 2 "a size from 1 to 9999" make try HW=1 N=0
says "SEED=zz" 2 "hexadecimal" make grade HW=1 SEED=zz
for setting in MEMORY_MIB=8GB COMPILE_MIB=-1 COMPILE_S=2m; do
    says "$setting" 2 "$setting: a whole number is meant" make grade HW=1 DEVICE=virtual "$setting"
done
says "RUN= names no command" 2 "there is no command srnu" make grade HW=1 DEVICE=virtual RUN='srnu -n1'
as_nobody() { setpriv --reuid=65534 --clear-groups "$@"; }
if as_nobody test -r Makefile -a ! -w "$build" 2> /dev/null; then
    says "a build folder that is not yours" 2 "$build cannot be written: make BUILD=FOLDER" \
        as_nobody make grade HW=1 DEVICE=virtual
    says "a ladder of another's" 2 "cannot be written: make live BUILD=FOLDER" as_nobody make live HW=4 RUNG=1
else
    skip "a build folder that is not yours" "needs root, and a tree that all may read"
fi
says "BUILD= names no folder" 2 'BUILD="": a folder' make grade HW=1 BUILD=
says "DEVICE=tpu" 77 "auto, gpu or virtual" grader --device=tpu --file=x \
    --candidate="$build/hw1_vector_add/vector_add.so"
says "a file that is no file" 2 "that is no regular file" make grade HW=1 FILE=/dev/zero
says "a quote in TASK= is only a quote" 2 "has no such task" make hint HW=1 TASK="1'; echo '"
says "a quote in LEVEL= is only a quote" 2 "a level is 1" make hint HW=1 TASK=1 LEVEL="1'; echo '"
says "a folder that is no build folder is not removed" 2 "and stays" make clean BUILD=grader
says "an unknown option" 2 "not an option" grader --points=100

says "no nvcc" 2 "make setup" env PATH=/usr/bin:/bin TOOLKIT_FOLDERS= CUDA_HOME= CUDA_PATH= \
    CUDA_ROOT= NVCC= make grade HW=1 BUILD="$scratch/no_nvcc"
says "no Criterion" 2 "include/criterion" make grade HW=1 CRITERION="$scratch/nothing" \
    BUILD="$scratch/no_criterion"
says "a tree that cannot be written" 2 "BUILD=" make grade HW=1 BUILD=/proc/workbook

# Each looks the tools up for itself, and none takes the file of another away.
several_at_once() {
    local i jobs=()
    for i in 1 2 3; do
        make -s BUILD="$scratch/both" "$scratch/both/toolchain" > /dev/null &
        jobs[i]=$!
    done
    for i in 1 2 3; do
        wait "${jobs[$i]}" || return 1
    done
    [ "$(ls "$scratch/both")" = toolchain ]
}
check "several makes at once in one tree" several_at_once

printf 'this is not CUDA\n' > "$scratch/broken file.cu"
says "a file that does not compile, with a blank in its path" 2 "DOES NOT COMPILE" \
    make grade HW=1 FILE="$scratch/broken file.cu"
printf 'int x\n' > "$scratch/Doe, Jane.cu"
says "a comma in a name is no option of the compiler" 2 'expected a ";"' make grade HW=1 FILE="$scratch/Doe, Jane.cu"
printf '#include "%s/hw1_vector_add/vector_add_solution.cu"\n' "$PWD" > "$scratch/borrowed.cu"
says "who includes the reference has written nothing" 2 "the reference" make grade HW=1 FILE="$scratch/borrowed.cu"
sed 's/END(hw1.2)/&\n}/; s/TODO(hw1.2)/& x\n syntax error here;/' hw1_vector_add/vector_add.cu \
    > "$scratch/half.cu"
says "the task that does not compile is named" 2 "in hw1.2" \
    make grade HW=1 FILE="$scratch/half.cu"
says "nvcc's own words are shown" 2 "error" make grade HW=1 FILE="$scratch/half.cu"
says "no shared object and no log is the grader's fault" 2 "grader's fault" \
    grader --file=x --candidate="$scratch/none.so"

# The record of a file that does not compile is complete, and a full disk loses no verdict.
mkdir -p "$scratch/log"
echo 'x.cu(1): error: no' > "$scratch/log/x.log"
says "the record names the verdict" 0 '"verdict":"DOES NOT COMPILE","diagnosis":"compile-error"' \
    bash -c "'$build/hw1_vector_add/grader' --file=x.cu --candidate=/none --log='$scratch/log/x.log' \
        --results='$scratch/r.jsonl' > /dev/null; cat '$scratch/r.jsonl'"
says "a full disk is named, the verdict stands" 1 "is the disk full" \
    grader --file=x.cu --candidate=/none --log="$scratch/log/x.log" --results=/dev/full

# An instruction that the virtual GPU lacks: nobody is blamed, the name and the reason are given.
sed -e '/return cudaErrorNotYetImplemented; \/\/ delete this line once/d' \
    -e 's/TODO(hw1.1): add one.*/&\
    unsigned x; asm volatile("vabsdiff.u32.u32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(1), "r"(2), "r"(3));/' \
    hw1_vector_add/vector_add.cu > "$scratch/video.cu"
says "what needs a GPU cannot be graded without" 2 "CANNOT GRADE" \
    make grade HW=1 TASK=1 DEVICE=virtual FILE="$scratch/video.cu"

# hw7.4 has no arrays: what was measured on an H200 is shown, with the answers.
says "try shows the records of hw7.4" 0 "given-vector      94.34" \
    make try HW=7 TASK=4 DEVICE=virtual FILE=hw7_profiling/profiling_solution.cu
says_not "and nothing of arrays that it lacks" "arrays" \
    make try HW=7 TASK=4 DEVICE=virtual FILE=hw7_profiling/profiling_solution.cu

# A kernel that never ends: its line is named, after a moment where one only tries.
sed -e '/return cudaErrorNotYetImplemented; \/\/ delete this line once/d' \
    -e 's/TODO(hw1.1): add one.*/&\
    while (threadIdx.x < 2000) sum[0] += 1.0f;/' hw1_vector_add/vector_add.cu > "$scratch/endless.cu"
endless="endless.cu:$(grep -n 'sum\[0\] +=' "$scratch/endless.cu" | cut -d : -f 1)"
says "an endless kernel under try" 2 "$endless: error [hang]" \
    env VGPU_LAUNCH_S=1 make try HW=1 TASK=1 DEVICE=virtual FILE="$scratch/endless.cu"
endless_object=$build/files/hw1_vector_add/words-endless.so
grader/tools/compile.sh "$scratch/endless.cu" "$endless_object" hw1_vector_add > /dev/null
says "an endless kernel under grade" 1 "$endless  The kernel does not end" \
    grader --file="$scratch/endless.cu" --candidate="$endless_object" --task=1 --limit=3 \
    --device=virtual --virtual="$build/virtual_gpu" --baseline="$build/hw1_vector_add/baseline.so"
sed -e '/return cudaErrorNotYetImplemented; \/\/ delete this line once/d' \
    -e 's/TODO(hw1.1): the kernel first.*/&\
    for (volatile int forever = 1; forever;)\
        ;/' hw1_vector_add/vector_add.cu > "$scratch/looping.cu"
says "an endless loop of the host under try" 2 "It did not end within 20 s" \
    make try HW=1 TASK=1 DEVICE=virtual FILE="$scratch/looping.cu"

# Device memory that the host follows: which, is said by every command.
sed -e '/return cudaErrorNotYetImplemented; \/\/ delete this line once/d' \
    -e 's/TODO(hw1.1): the kernel first.*/&\
    *(volatile float *)sum = 0.0f;/' hw1_vector_add/vector_add.cu > "$scratch/crashing.cu"
says "a crash under try" 2 "the program ended by signal 11" \
    make try HW=1 TASK=1 DEVICE=virtual FILE="$scratch/crashing.cu"
says "a crash under sanitize" 2 "Nothing was looked at behind the crash." \
    make sanitize HW=1 TASK=1 DEVICE=virtual FILE="$scratch/crashing.cu"
says "a crash under grade" 2 "the host dereferences" \
    make grade HW=1 TASK=1 DEVICE=virtual FILE="$scratch/crashing.cu"

no_gpu() { ! { command -v nvidia-smi && nvidia-smi -L; } > /dev/null 2>&1; }
if no_gpu; then
    says "no GPU where one is demanded" 77 "there is no NVIDIA GPU on this machine" \
        grader --device=gpu --file=x --candidate="$build/hw1_vector_add/vector_add.so"
else
    skip "no GPU where one is demanded" "this machine has a GPU"
fi


# One case that passes is not the task, a name that no case has is no failure of a task, and the
# next homework is named when all pass.
solution_of_hw1() {
    grader --device=virtual --virtual="$build/virtual_gpu" \
        --baseline="$build/hw1_vector_add/baseline.so" \
        --file=hw1_vector_add/vector_add_solution.cu \
        --candidate="$build/hw1_vector_add/vector_add_solution.so" "$@"
}
says "a case that passes leads to the whole task" 0 "make grade HW=1 TASK=1 DEVICE=virtual" \
    solution_of_hw1 --task=1 --case=first0-n10007-threads256-seed7f3a
says "a homework that passes names the next one" 0 "Next: hw2_stencil/README.md" solution_of_hw1
says "a time that earns a star says what it takes" 0 "2.0× the baseline earns a star" \
    "$build/hw2_stencil/grader" --device=virtual --virtual="$build/virtual_gpu" \
    --baseline="$build/hw2_stencil/baseline.so" --file=hw2_stencil/stencil_solution.cu \
    --candidate="$build/hw2_stencil/stencil_solution.so" --task=3
unsigned_stride() {
    "$build/hw3_launch_config/grader" --device=virtual --virtual="$build/virtual_gpu" \
        --baseline="$build/hw3_launch_config/baseline.so" \
        --file=hw3_launch_config/wrong/unsigned_stride.cu \
        --candidate="$build/hw3_launch_config/wrong/unsigned_stride.so" --task=1 "$@"
}
says "a mistake that only a launch of 2^32 threads shows is asked about" 0 \
    "  untried  a launch of 2^32 threads, which takes a GPU: is the step a size_t?" unsigned_stride
says "so is one that no case shows" 0 \
    "  untried  a launch of 2^31 threads and more: is each product a size_t?" solution_of_hw1
says_not "a name that no case has is no task that fails" "not every task passes" \
    solution_of_hw1 --task=1 --case=nonsense

finish
