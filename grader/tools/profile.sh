#!/usr/bin/env bash
# What limits a candidate's kernels, and where the lesson asks for it what ran when:
# profile.sh HOMEWORK BASE GRADER-OPTION…
#
# From ncu's counters where there is a GPU that gives them; else from the exact counts of the
# virtual GPU, with a sentence on why. Leaves BASE.txt and BASE.csv. Exit code: 0 printed, 1 the
# candidate did not run or nothing is attempted, 2 a wrong word, 77 no device.
set -euo pipefail

homework=$1 base=$2
shift 2
build=${BUILD:-build}
grader=$build/$homework/grader
read -ra run <<< "${RUN:-}"
limit_s=300     # of all tasks on the virtual GPU
ncu_limit_s=120 # of one task under ncu
timeline_limit_s=60

trouble=''    # why ncu's counters are not to be had: a sentence with what to do
command=("$@" --mode=direct --profile="$base")

# NCU= names one; else the one on the PATH, or the one beside nvcc.
find_ncu() {
    local nvcc=none
    # shellcheck disable=SC1091,SC2153 # toolchain sets NVCC
    [ ! -e "$build/toolchain" ] || nvcc=$(. "$build/toolchain" && echo "$NVCC")
    if [ -n "${NCU:-}" ]; then
        ncu=$(command -v "$NCU")
    else
        ncu=$(command -v ncu) || ncu=$(command -v "${nvcc%/*}/ncu")
    fi
}

# Whether the grader had a shared object to open.
has_compiled() {
    local option
    for option in "$@"; do
        case $option in --candidate=*) [ -e "${option#*=}" ] && return ;; esac
    done
    return 1
}

# The grader's exit code; a candidate that took the program down with it is told from one that the
# grader refused.
finish() {
    local code=$1
    if [ -e "$base.txt" ] || [ "$code" -eq 2 ] || [ "$code" -eq 77 ] ||
        ! has_compiled "${command[@]}"; then
        exit "$code"
    fi
    case $code in
    124) echo "stopped after $limit_s s: TASK=2 profiles one task only" ;;
    *)
        echo "the program ended (exit code $code) before its profile was complete:" \
            "make grade says where"
        ;;
    esac
    exit 1
}

count_on_virtual_gpu() {
    local code=0
    VGPU_REPORT=none timeout --foreground "$limit_s" "$grader" "${command[@]}" --device=virtual \
        --note="$trouble" || code=$?
    finish "$code"
}

# ---- ncu ----------------------------------------------------------------------------------------

# What ncu said of itself, without the progress.
complaint_of() {
    grep -h -E '^==(ERROR|WARNING)==' "$@" 2> /dev/null | grep -v 'No kernels were profiled' |
        head -n 1 | sed -E 's/^==[A-Z]+== *//' || true
}

run_ncu() {
    local task=$1 metrics=$2 code=0
    rm -f "$base.$task.run" "$base.$task.ncu"
    LC_ALL=C timeout "$ncu_limit_s" "${run[@]}" "$ncu" --target-processes all \
        --profile-from-start off --clock-control none --csv --log-file "$base.$task.ncu" \
        --metrics "$metrics" "$grader" "${command[@]}" --device=gpu --task="$task" --part=run \
        > "$base.$task.out" 2>&1 || code=$?
    return "$code"
}

# Metrics without those that this ncu does not know on this GPU, or nothing if it knows all.
known_metrics() {
    local log=$1 metrics=$2 unknown
    unknown=$(grep -h -o -E 'Failed to find metric [^ ,]+' "$log" 2> /dev/null |
        sed 's/.* //') || return 0
    tr ',' '\n' <<< "$metrics" | grep -v -x -F "$unknown" | paste -s -d ','
}

# measure_task NUMBER: leaves the counters of one task, or sets trouble and fails.
measure_task() {
    local task=$1 code=0 known log out launches
    log=$base.$task.ncu out=$base.$task.out
    run_ncu "$task" "$metrics" || code=$?
    known=$(known_metrics "$log" "$metrics")
    if [ -n "$known" ]; then
        metrics=$known code=0
        run_ncu "$task" "$metrics" || code=$?
    fi
    if grep -q -s ERR_NVGPUCTRPERM "$log" "$out"; then
        trouble="the driver gives this GPU's counters to administrators only (ERR_NVGPUCTRPERM): \
try sudo make profile, or ask the administrator to load the nvidia module with \
NVreg_RestrictProfilingToAdminUsers=0 and, for a container, to allow SYS_ADMIN."
        return 1
    fi
    launches=$(sed -n 's/^launches=//p' "$base.$task.run" 2> /dev/null) || launches=''
    if [ "$code" -eq 124 ]; then
        trouble="ncu was stopped after $ncu_limit_s s with task $task: TASK= chooses another."
    elif [ -z "$launches" ]; then
        trouble="ncu and the program under it ended with exit code $code: \
$(complaint_of "$log" "$out")"
    elif [ "$launches" -gt 0 ] && ! grep -q '^"[0-9]' "$log"; then
        trouble="ncu measured nothing ($(complaint_of "$log" "$out")): is it older than this \
GPU or its driver?"
    else
        return 0
    fi
    return 1
}

measure() {
    local task code=0
    metrics=$("$grader" "${command[@]}" --part=metrics)
    for task in $tasks; do
        measure_task "$task" || return 1
    done
    "$grader" "${command[@]}" --part=read || code=$?
    finish "$code"
}

# ---- the timeline -------------------------------------------------------------------------------

# Cuts a call out of the record: what began and ended in it.
operations_between() {
    awk -F '\t' -v from="$1" -v to="$2" '$1 == "operation" && $5 >= from && $6 <= to' "$record"
}

# Where the lesson asks for it: what ran when, in the call that is profiled. It comes from the
# virtual GPU on every machine, with two devices, so that a task for all of them has something to
# share out.
draw_timelines() {
    local record=$base.operations spans=$base.spans picture=$base.timeline.txt
    local task title what from to rest
    VGPU_REPORT=none VGPU_DEVICES=${VGPU_DEVICES:-2} VGPU_TIMELINE=$record \
        timeout --foreground "$timeline_limit_s" "$grader" "${command[@]}" --device=virtual \
        --part=timeline > "$spans" 2> /dev/null || true
    while IFS=$'\t' read -r task title what from to rest; do
        [[ $from =~ ^[0-9]+$ && $to =~ ^[0-9]+$ && -z $rest ]] || continue
        operations_between "$from" "$to" > "$record.part"
        printf '%s  %s: %s\n' "$task" "$title" "$what"
        grader/tools/timeline.sh "$record.part" || true
        echo
    done < "$spans" > "$picture"
    [ -s "$picture" ] || return 0
    cat << END
Timeline, modelled: by the virtual clock of an H200 cut to 8 SMs; nothing was
measured. A row for each engine of each stream, a digit for each operation in
turn; at the right, how much of the time shown it was busy.

END
    cat "$picture"
}

mkdir -p "$(dirname "$base")"
rm -f "$base".*
code=0
tasks=$("$grader" "${command[@]}" --part=list) || code=$?
if [ "$code" -ne 0 ]; then
    [ -z "$tasks" ] || printf '%s\n' "$tasks"
    exit "$code"
fi
draw_timelines
if [ "${DEVICE:-auto}" != virtual ]; then
    answer=$("${run[@]}" "$grader" "${command[@]}" --device=gpu --part=device) || code=$?
    if [ "$code" -ne 0 ] && [ "${DEVICE:-auto}" = gpu ]; then
        printf '%s\n' "$answer"
        exit "$code"
    elif [ "$code" -eq 0 ] && find_ncu; then
        measure || true # it ends the script, unless there is trouble
    elif [ "$code" -eq 0 ]; then
        trouble="ncu (Nsight Compute) is not installed: it comes with the CUDA toolkit, or as the \
package nsight-compute."
    fi
fi
count_on_virtual_gpu
