#!/usr/bin/env bash
# make profile: what it says of programs that are slow for one reason each, on the virtual GPU; what
# it makes of ncu's output, recorded and read back from a made-up ncu; and what it says where there
# is nothing to profile.
set -euo pipefail
# shellcheck source=grader/tests/tap.sh
. grader/tests/tap.sh

build=${BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HW TASK FILE CASE N LEVEL SEED RUN NCU NO_COLOR COLUMNS MAKEFLAGS MAKELEVEL
export BUILD=$build

# profile HOMEWORK SETTING…: its output in $output, its exit code in $code.
profile() {
    local homework=$1
    shift
    code=0
    output=$(env DEVICE=virtual "$@" grader/tools/grade.sh profile "$homework" \
        2> "$scratch/errors" < /dev/null) || code=$?
}

# The output as one line: where a table is folded, a sentence stays whole.
one_line() { tr -s ' \n' ' ' <<< "$output"; }

# says NAME TEXT…: the last output has every one of these texts.
says() {
    local name=$1 text line
    shift
    line=$(one_line)
    for text in "$@"; do
        if ! grep -qF -- "$text" <<< "$line"; then
            not_ok "$name" "no \"$text\" in" "$output"
            return
        fi
    done
    ok "$name"
}

silent_about() {
    local name=$1 text=$2
    if grep -qF -- "$text" <<< "$(one_line)"; then
        not_ok "$name" "\"$text\" in" "$output"
    else
        ok "$name"
    fi
}

ends_with() {
    if [ "$code" -eq "$2" ]; then
        ok "$1"
    else
        not_ok "$1" "exit $code, wanted $2" "$output" "$(cat "$scratch/errors")"
    fi
}

first_line_is() {
    if [ "$(head -n 1 <<< "$output")" = "$2" ]; then
        ok "$1"
    else
        not_ok "$1" "the first line is" "$(head -n 1 <<< "$output")"
    fi
}

# No line is wider than that; of a text in UTF-8.
fits() {
    local name=$1 columns=$2 wide
    wide=$(LC_ALL=C.UTF-8 grep -E "^.{$((columns + 1))}" <<< "$output") || true
    if [ -z "$wide" ]; then ok "$name"; else not_ok "$name" "$wide"; fi
}

same_text() { diff <(printf '%s\n' "$1") <(printf '%s\n' "$2"); }
no_escape() { ! grep -q $'\e' <<< "$1"; }

# --- one reason each, with its numbers ---

for source in grader/tests/profiled/*.cu; do
    name=$(basename "$source" .cu)
    mapfile -t expected < <(sed -n 's|^// says: ||p' "$source")
    profile hw4_reduction TASK=5 FILE="$source" COLUMNS=60
    ends_with "$name is profiled" 0
    says "$name: its limiter and its numbers" "${expected[@]}"
done

profile hw4_reduction TASK=7 FILE=hw4_reduction/baseline.cu COLUMNS=60
says "atomics on one address" "atomics on one address, which go one after the other" \
    "131,072 operations on the address that gets most" "Combine before the atomic"
profile hw4_reduction TASK=2 FILE=hw4_reduction/baseline.cu COLUMNS=60
says "warps that wait" "latency: there are warps, and they wait. 64 warps on an SM, of 64 that fit" \
    "time: " "modelled by a model that is fitted to an H200" "latency 100"
says "and no bank conflicts" "no bank conflicts"
profile hw1_vector_add TASK=1 FILE=hw1_vector_add/wrong/uncoalesced.cu COLUMNS=60
says "uncoalesced loads and stores" "much of what is moved is not asked for" \
    "loads: 32.0 sectors a request" \
    "the 32 threads of a warp touch 32 different sectors; 4.0 would do" \
    "stores: 32.0 sectors a request" "268 MB moved by all kernels, 8.0 times the 33.6 MB that any"
says "the worst line, with its text" "uncoalesced.cu:" "too many: 32.0 sectors a load" \
    "sum[first + i] = a[first + i]"
profile hw1_vector_add FILE=hw1_vector_add/vector_add_solution.cu COLUMNS=60
says "a solution is at the limit of the memory" "memory (DRAM): what is moved is asked for" \
    "loads: 4.0 sectors a request" "occupancy: 100 % at most" "limited by its threads"
says "a small matrix product waits for its own results, as it does on an H200" "257x129x131" \
    "latency: there are warps, and they wait" "The same bytes are loaded 108.6 times" \
    "<<<(17, 9), (16, 16)>>>"
says "where it comes from, and what is missing" "source: the virtual GPU: exact" \
    "measured time, cache hits, stalls, achieved occupancy"
profile hw4_reduction TASK=3 FILE=hw4_reduction/reduction_solution.cu COLUMNS=60
says "of two kernels the one to begin with" "maximum_a_block_kernel takes longest" \
    "the launch itself: the kernel does less than a launch costs"
again=$output
profile hw4_reduction TASK=3 FILE=hw4_reduction/reduction_solution.cu COLUMNS=60
check "the same numbers on every run" same_text "$again" "$output"

profile hw7_profiling COLUMNS=60
says "homework 7 as it is given: too little parallelism" "<<<4, 32>>>" \
    "too little parallelism: latency bound. 4 warps for 8 SMs, which hold 512"
says "homework 7: wasted sectors" \
    "16.5 sectors a load request on average, where 2.5 would do: 85 % of the 138 MB moved"
says "homework 7: the same bytes for every vector" \
    "8 launches read 16.8 MB each, 134 MB in all" "the same bytes come back 7.9 times"

# --- timelines ---

# The length of the last picture, in microseconds.
shown_us() {
    sed -nE 's/^ +0 +([0-9.]+) (ns|us|ms)$/\1 \2/p' <<< "$output" | tail -n 1 |
        awk '{ print $1 * ($2 == "ms" ? 1000 : $2 == "us" ? 1 : 0.001) }'
}
# rows_are PATTERN COUNT: of the last picture. check() has an output of its own.
rows_are() { [ "$(grep -cE "^$1 *\|" <<< "$drawn")" -eq "$2" ]; }
draws() { profile "$@" && drawn=$output; }
is_shorter() { awk -v a="$1" -v b="$2" -v times="$3" 'BEGIN { exit !(a > 0 && a * times < b) }'; }

draws hw6_streams TASK=1 FILE=hw6_streams/baseline.cu
serial_us=$(shown_us)
check "one stream: a row for each of its engines" rows_are 'stream 1 (in|kernel|out)' 3
says "the timeline says what it is" "Timeline, modelled: by the virtual clock" \
    "nothing was measured" "hw6.1 a pipeline of chunks: the timed problem"
fits "the timeline has 80 columns" 80
says "counters follow" "stir_kernel"
draws hw6_streams TASK=1 FILE=hw6_streams/streams_solution.cu
check "the solution has four streams" rows_are 'stream [0-9]+ (in|kernel|out)' 12
check "which take less than half of the time" is_shorter "$(shown_us)" "$serial_us" 2
pipeline=$build/profile/hw6_streams/hw6_streams_streams_solution.cu.timeline.txt
check "the picture is kept" grep -q '^stream 1 kernel' "$pipeline"
draws hw6_streams TASK=1 FILE=hw6_streams/wrong/default_stream_in_the_middle.cu
check "a kernel in the default stream has a row of its own" rows_are 'default kernel' 1
draws hw6_streams TASK=5 FILE=hw6_streams/streams_solution.cu
check "two devices take part" rows_are 'gpu 1 stream [0-9]+ (ker|kernel|out)' 2
draws hw6_streams TASK=4
says "a skeleton: the timeline of the baseline" "hw6.4 a graph" "the baseline, timed"
draws hw6_streams TASK=2 FILE=hw6_streams/wrong/one_stream.cu
says "a wrong program's timeline says so" "late-left: THE VALUES ARE WRONG"
draws hw5_managed_memory TASK=2 FILE=hw5_managed_memory/managed_memory_solution.cu
check "a prefetch is a copy in" rows_are 'default (in|kernel)' 2
draws hw4_reduction TASK=5 FILE=hw4_reduction/reduction_solution.cu
silent_about "no timeline where the lesson asks for none" "Timeline"

# --- pages ---

profile hw4_reduction TASK=5 FILE=grader/tests/profiled/strided_rows.cu
fits "80 columns where there is no terminal" 80
says "the last line names the file" \
    "kept in $build/profile/hw4_reduction/grader_tests_profiled_strided_rows.cu.txt (and .csv)"
text=$build/profile/hw4_reduction/grader_tests_profiled_strided_rows.cu
check "the file holds what was printed" same_text "$(head -n -2 <<< "$output")" "$(cat "$text.txt")"
rows() { awk -F , 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 3 }' "$text.csv"; }
check "every row of the .csv has as many columns as its header" rows
check "the .csv has the sectors of the line" \
    grep -qE '^hw4\.5,stretches_kernel,.*strided_rows\.cu,[0-9]+,.*,8388608,1048576,' "$text.csv"
wide=$output
for columns in 79 40 20; do
    profile hw4_reduction TASK=5 FILE=grader/tests/profiled/strided_rows.cu COLUMNS=$columns
    fits "$columns columns" "$columns"
    says "$columns columns: pairs of name and value" "loads: 32.0 sectors"
done
profile hw4_reduction TASK=5 FILE=grader/tests/profiled/strided_rows.cu COLUMNS=500
fits "never more than 100 columns" 100
check "a file has no colour" no_escape "$wide"
if command -v script > /dev/null; then
    on_terminal() {
        env DEVICE=virtual TERM=xterm TASK=5 FILE=grader/tests/profiled/strided_rows.cu "$@" \
            script -qec 'stty cols 50; grader/tools/grade.sh profile hw4_reduction' \
            /dev/null < /dev/null | tr -d '\r'
    }
    output=$(on_terminal A=b)
    check "a terminal has bold headings" grep -q $'\e\\[1mhw4.5' <<< "$output"
    output=$(printf '%s\n' "$output" | sed 's/\x1b\[[0-9]*m//g' | grep -v '^nvcc')
    fits "and its own width" 50
    output=$(on_terminal NO_COLOR=1)
    check "NO_COLOR leaves them out" no_escape "$output"
else
    skip "a terminal" "there is no script(1)"
fi

# --- programs that are wrong, or do not run ---

profile hw4_reduction TASK=5 FILE=hw4_reduction/wrong/no_block_stride.cu
first_line_is "wrong values come first" \
    "hw4.5: THE VALUES ARE WRONG. What follows are the counters of a wrong program."
says "what is wrong is said" "WRONG ANSWER: row 0 sums to"
says "and the counters follow" "sectors a request"
ends_with "a wrong program is profiled all the same" 0
profile hw4_reduction TASK=6 FILE=hw4_reduction/wrong/lane_is_not_thread.cu
first_line_is "also of a task that is not timed" \
    "hw4.6: THE VALUES ARE WRONG. What follows are the counters of a wrong program."
says "in its largest case" "case" "n1000003"
profile hw4_reduction TASK=3 FILE=hw4_reduction/wrong/tie_takes_later.cu COLUMNS=60
says "wrong elsewhere, right here" "elsewhere: " "WRONG ANSWER"

profile hw4_reduction TASK=3
says "a skeleton" "hw4.3" "not attempted yet: it returns cudaErrorNotYetImplemented"
silent_about "without counters" "sectors a request"
ends_with "nothing was printed: 1" 1
profile hw4_reduction TASK=5 COLUMNS=60
says "a skeleton of a timed task: the version to beat" \
    "not attempted yet: what follows is the baseline" \
    "baseline.cu:" "32.0 sectors a load request, where 4.0 would do"
ends_with "that was printed" 0
cat > "$scratch/one_task.cu" << END
#define add_on_gpu another_add
#define multiply another_product
#include "$PWD/grader/tests/accepted/hw1_vector_add/grid_stride.cu"
#undef add_on_gpu
#undef multiply
cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    return cudaErrorNotYetImplemented;
}
cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
END
profile hw1_vector_add FILE="$scratch/one_task.cu"
says "one task of three" "add_strided" "not attempted yet"
ends_with "one is enough" 0

code=0
output=$(make profile HW=99 2>&1) || code=$?
ends_with "HW=99" 2
says "HW=99 lists the homeworks" "hw1_vector_add"
profile hw4_reduction TASK=9
ends_with "TASK=9" 2
check "TASK=9 lists the tasks" grep -q 'TASK=2' "$scratch/errors"
profile hw4_reduction DEVICE=tpu
ends_with "DEVICE=tpu" 2
check "DEVICE=tpu is told the three words" grep -q 'auto, gpu or virtual' "$scratch/errors"
profile hw4_reduction FILE=missing.cu
ends_with "a missing FILE" 2
profile hw4_reduction TASK=5 CASE=nonsense FILE=hw4_reduction/reduction_solution.cu
says "a case that there is not" "CASE=nonsense"
ends_with "is no profile" 1
printf 'this is not CUDA\n' > "$scratch/broken.cu"
profile hw4_reduction FILE="$scratch/broken.cu"
says "a file that does not compile" "DOES NOT COMPILE"
ends_with "ends with 1" 1

body='cudaError_t sum_rows(
    const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)'
printf '%s\n{\n    *(volatile int *)8 = 1;\n    return cudaSuccess;\n}\n' "$body" \
    > "$scratch/crashes.cu"
profile hw4_reduction TASK=5 FILE="$scratch/crashes.cu"
says "a program that crashes" "before its profile was complete: make grade says where"
ends_with "has not run" 1
printf '#include <stdlib.h>\n%s\n{\n    exit(0);\n}\n' "$body" > "$scratch/exits.cu"
profile hw4_reduction TASK=5 FILE="$scratch/exits.cu"
says "a program that ends itself" "before its profile was complete"
ends_with "has not run either" 1
printf '%s\n{\n    return cudaMemsetAsync(out, 0, 4 * shape.rows, stream);\n}\n' "$body" \
    > "$scratch/no_kernel.cu"
profile hw4_reduction TASK=5 FILE="$scratch/no_kernel.cu"
says "a program without a kernel" "no kernel ran"
printf 'static __global__ void k(float *out)\n{\n    out[0] = *(float *)nullptr;\n}\n%s\n' "$body" \
    > "$scratch/null.cu"
printf '{\n    k<<<1, 1, 0, stream>>>(out);\n    return cudaGetLastError();\n}\n' \
    >> "$scratch/null.cu"
profile hw4_reduction TASK=5 FILE="$scratch/null.cu" COLUMNS=60
says "a kernel that stops at a fault" "hw4.5: IT FAILED (CUDA ERROR)." "cudaErrorLaunchFailure" \
    "faults: the virtual GPU saw accesses"
ends_with "did not run" 1

# --- ncu ---

mkdir "$scratch/bin"
cat > "$scratch/ncu" << 'END'
#!/usr/bin/env bash
# Runs the program on the virtual GPU, and writes what an ncu wrote.
printf '%s\n' "$*" >> "$FAKE/calls"
while [[ $1 = --* ]]; do
    case $1 in
    --log-file) log=$2 && shift ;;
    --metrics) metrics=$2 && shift ;;
    --target-processes | --profile-from-start | --clock-control) shift ;;
    esac
    shift
done
: > "$log"
[ "$FAKE_NCU" != crash ] || exit 9
if [ "$FAKE_NCU" = unknown ] && [[ $metrics = *l1tex__t_sector_hit_rate* ]]; then
    echo '==ERROR== Failed to find metric l1tex__t_sector_hit_rate.pct' > "$log"
    exit 1
fi
"$@" --device=virtual || exit
case $FAKE_NCU in
forbidden) cat "$FAKE/forbidden" > "$log" && exit 1 ;;
silent) printf '==WARNING== No kernels were profiled.\n==ERROR== it is too old\n' > "$log" ;;
*) cat "$FAKE/csv" > "$log" ;;
esac
END
# RUN= stands before all that needs the device: it says that there is one.
cat > "$scratch/gpu" << 'END'
#!/usr/bin/env bash
[[ "$*" != *--part=device* ]] || exit 0
exec "$@"
END
chmod +x "$scratch/ncu" "$scratch/gpu"
cat > "$scratch/forbidden" << 'END'
==PROF== Connected to process 9137 (build/hw4_reduction/grader)
==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0. For instructions on enabling permissions and to get more information see https://developer.nvidia.com/ERR_NVGPUCTRPERM
==PROF== Disconnected from process 9137
END

# A launch as ncu writes it: launch ID KERNEL GRID BLOCK, and METRIC UNIT VALUE on stdin.
launch() {
    local metric unit value
    while read -r metric unit value; do
        printf '"%s","9137","grader","127.0.0.1","%s","1","7","%s","%s","0","9.0",' \
            "$1" "$2" "$4" "$3"
        printf '"Command line profiler metrics","%s","%s","%s"\n' "$metric" "${unit#-}" "$value"
    done
}
{
    echo '==PROF== Connected to process 9137 (build/hw4_reduction/grader)'
    echo '==PROF== Profiling "sum_rows_kernel" - 0: 0%....50%....100% - 9 passes'
    printf '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",'
    printf '"Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"\n'
    launch 0 'void rows<float, 4>(const T1 *, float *)' '(2048, 1, 1)' '(256, 1, 1)' << 'END'
gpu__time_duration.sum ns 200,000
dram__throughput.avg.pct_of_peak_sustained_elapsed % 91.34
sm__throughput.avg.pct_of_peak_sustained_elapsed % 23.4
dram__bytes_read.sum byte 268,435,456
dram__bytes_write.sum Kbyte 8.19
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum sector 8,388,608
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum - 2,097,152
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum - 0
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum - 1,024
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum - 2,048
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum - 2,048
sm__warps_active.avg.pct_of_peak_sustained_active % 92.51
sm__maximum_warps_per_active_cycle_pct % 100
launch__occupancy_limit_warps block 8
launch__occupancy_limit_registers block 16
launch__occupancy_limit_shared_mem block 28
launch__occupancy_limit_blocks block 32
launch__registers_per_thread register/thread 16
l1tex__t_sector_hit_rate.pct % n/a
lts__t_sector_hit_rate.pct % 12.25
smsp__issue_active.avg.pct_of_peak_sustained_active % 34.2
smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio warp 31.5
smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio warp 2.25
smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio - nan
END
    launch 1 'void rows<float, 4>(const T1 *, float *)' '(2048, 1, 1)' '(256, 1, 1)' << 'END'
gpu__time_duration.sum usecond 600.00
dram__throughput.avg.pct_of_peak_sustained_elapsed % 71.34
sm__throughput.avg.pct_of_peak_sustained_elapsed % 23.4
dram__bytes_read.sum Mbyte 268.435456
dram__bytes_write.sum Kbyte 8.19
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum sector 58,720,256
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum - 2,097,152
END
    launch 2 'last(float *)' '(1, 1, 1)' '(32, 1, 1)' << 'END'
gpu__time_duration.sum msecond 0.2
dram__throughput.avg.pct_of_peak_sustained_elapsed % 0.8
sm__throughput.avg.pct_of_peak_sustained_elapsed % 2.1
smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio warp 4.5
END
    echo '==PROF== Disconnected from process 9137'
} > "$scratch/csv"

# measured HOW SETTING…: a machine with a GPU, and an ncu that behaves so.
measured() {
    local how=$1
    shift
    rm -f "$scratch/calls"
    profile hw4_reduction DEVICE=auto RUN="$scratch/gpu" NCU="$scratch/ncu" FAKE="$scratch" \
        FAKE_NCU="$how" COLUMNS=60 FILE=hw4_reduction/reduction_solution.cu TASK=5 "$@"
}

measured good
ends_with "ncu's counters are printed" 0
says "they say where they come from" "source: ncu, in the counters of the GPU"
says "launches of one kernel are put together" "rows<float, 4>" "launch: <<<2048, 256>>>" \
    "2 launches" "time: 800 µs"
says "percentages weigh as long as they took" "memory: 76.3 % of peak"
says "units and thousands are understood" "537 MB read, 16.4 KB written"
says "sectors a request" "loads: 16.0 sectors a request"
says "memory bound by the rule" "limiter: memory bound" \
    "memory 76.3 %, compute 23.4 % of peak: the larger is at least 60 %"
says "a metric that one launch lacks is left out" "launch: <<<1, 32>>>"
silent_about "n/a is no number" "L1 hits"
says "latency bound by the rule" "limiter: latency bound" \
    "memory 0.8 %, compute 2.1 % of peak: neither reaches 60 %; warps wait at __syncthreads()"
says "the kernel that takes longest" "rows<float, 4> takes 80 % of the time"
silent_about "nothing returns its name" "void"
says "the values were looked at" "values: right in this case"
check "only the candidate's kernels are measured" \
    grep -q -- '--profile-from-start off' "$scratch/calls"
check "in all processes" grep -q -- '--target-processes all' "$scratch/calls"
check "with the lecture's metrics" \
    grep -q 'gpu__time_duration.sum,dram__throughput.avg' "$scratch/calls"
text=$build/profile/hw4_reduction/hw4_reduction_reduction_solution.cu
row='hw4.5,0,"void rows<float, 4>(const T1 *, float *)","(2048, 1, 1)","(256, 1, 1)",'
row+='dram__bytes_read.sum,byte,"268,435,456"'
check "the .csv has every value" grep -qF "$row" "$text.csv"

# One launch alone has more to say: conflicts, occupancy, stalls.
sed -i '/^"[12]",/d' "$scratch/csv"
measured good COLUMNS=80
fits "80 columns of ncu" 80
measured good COLUMNS=30
fits "30 columns of ncu" 30
measured good
says "occupancy, and what limits it" "occupancy: 92.5 % achieved" \
    "at most 100 %, an SM is full by its threads" "16 registers a thread"
says "conflicts" "shared: 1,024 bank conflicts" "of 4,096 wavefronts"
says "the cache" "L2 hits: 12.2 %"
says "the issue" "issue: 34.2 %"
says "the top stall" "stall: long_scoreboard" "for a load from global or local memory: 31.5 of them"
measured good FILE=hw4_reduction/wrong/no_block_stride.cu COLUMNS=80
first_line_is "wrong values under ncu" \
    "hw4.5: THE VALUES ARE WRONG. What follows are the counters of a wrong program."

measured unknown
says "a metric that this ncu lacks is left out" "limiter: memory bound"
silent_about "without a word of the virtual GPU" "virtual GPU:"

fallback='source: the virtual GPU: exact'
measured forbidden
says "forbidden counters" "ERR_NVGPUCTRPERM" "sudo" \
    "NVreg_RestrictProfilingToAdminUsers=0" "$fallback"
ends_with "the counts are printed instead" 0
check "ncu was asked once" test "$(wc -l < "$scratch/calls")" -eq 1
measured silent
says "an ncu that measures nothing" "ncu measured nothing (it is too old)" "$fallback"
measured crash
says "an ncu that ends badly" "ended with exit code 9" "$fallback"
measured good NCU="$scratch/no_such_ncu"
says "no ncu" "ncu (Nsight Compute) is not installed" "$fallback"
ends_with "no ncu, and counts all the same" 0
profile hw6_streams DEVICE=auto RUN="$scratch/gpu" NCU="$scratch/ncu" FAKE="$scratch" FAKE_NCU=good \
    COLUMNS=80 FILE=hw6_streams/streams_solution.cu TASK=1
says "a timeline beside ncu is modelled all the same" "Timeline, modelled" "source ncu"
measured good FILE=hw4_reduction/reduction.cu TASK=3
says "ncu and a skeleton" "not attempted yet: it returns"
ends_with "is nothing printed" 1
measured good FILE=hw4_reduction/reduction.cu
says "ncu and the version to beat" "what follows is the baseline" "limiter: memory bound"
no_gpu() { ! "$build/hw4_reduction/grader" --mode=direct --device=gpu --profile=x --part=device \
    --candidate="$build/hw4_reduction/reduction.so" > /dev/null; }
if no_gpu; then
    profile hw4_reduction DEVICE=gpu
    ends_with "DEVICE=gpu without one" 77
    says "says so" "there is no NVIDIA GPU on this machine"
    profile hw4_reduction DEVICE=auto TASK=5 FILE=hw4_reduction/reduction_solution.cu
    ends_with "DEVICE=auto without one" 0
    silent_about "needs no reason" "because"
else
    skip "DEVICE=gpu without one" "this machine has a GPU"
fi

finish
