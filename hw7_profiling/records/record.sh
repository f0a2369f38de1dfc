#!/usr/bin/env bash
# Records the metrics of records/kernels.cu on the GPU of this machine: record.sh FOLDER
#
# FOLDER receives records.csv (Nsight Compute's raw page, one row a launch, base units),
# labels.tsv (the launches' names in the same order), unknown.txt (metrics that this chip or
# this version of ncu does not have) and device.txt. Needs nvcc, ncu and permission to read
# the counters. table.sh makes the records of hw7.4 from the folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:?usage: record.sh FOLDER}
mkdir -p "$folder"
nvcc=${NVCC:-nvcc}
ncu=${NCU:-ncu}
ncu_limit_s=100

# The names of the lecture's table, those that ncu prints today, and what tells them apart.
metrics=(
    gpu__time_duration.sum
    sm__cycles_elapsed.max
    sm__cycles_active.avg
    smsp__cycles_active.avg.pct_of_peak_sustained_elapsed
    sm__cycles_active.avg.pct_of_peak_sustained_elapsed
    sm__throughput.avg.pct_of_peak_sustained_elapsed
    sm__throughput.avg.pct_of_peak_sustained_active
    sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed
    gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed
    gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed
    dram__throughput.avg.pct_of_peak_sustained_elapsed
    dram__bytes_read.sum
    dram__bytes_write.sum
    lts__throughput.avg.pct_of_peak_sustained_elapsed
    lts__t_sectors.avg.pct_of_peak_sustained_elapsed
    lts__t_sectors.sum
    lts__t_sector_hit_rate.pct
    l1tex__throughput.avg.pct_of_peak_sustained_elapsed
    l1tex__throughput.avg.pct_of_peak_sustained_active
    l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
    l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active
    l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
    l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_active
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    l1tex__t_sector_hit_rate.pct
    sm__warps_active.avg.pct_of_peak_sustained_active
    sm__maximum_warps_per_active_cycle_pct
    smsp__issue_active.avg.pct_of_peak_sustained_active
    smsp__issue_active.avg.pct_of_peak_sustained_elapsed
    smsp__inst_executed.sum
    smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active
    smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed
    sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active
    sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed
    smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
    smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed
    sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_elapsed
    sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed
    smsp__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed
    sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed
    sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed
    sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active
    sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_elapsed
    smsp__sass_thread_inst_executed_op_integer_pred_on.avg.pct_of_peak_sustained_active
    smsp__sass_thread_inst_executed_op_integer_pred_on.sum
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
    smsp__sass_thread_inst_executed_op_fadd_pred_on.sum
    smsp__sass_thread_inst_executed_op_fmul_pred_on.sum
    smsp__sass_thread_inst_executed_op_dfma_pred_on.sum
    smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
    smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio
    smsp__average_warps_issue_stalled_wait_per_issue_active.ratio
    smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio
    smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio
    smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio
    smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio
    smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio
    launch__grid_size
    launch__block_size
    launch__registers_per_thread
    launch__waves_per_multiprocessor
)

# What this chip has: a name that ncu does not know would end the whole run.
"$ncu" --query-metrics --chips gh100 > "$folder/known.txt" 2> /dev/null ||
    "$ncu" --query-metrics > "$folder/known.txt"
known=()
: > "$folder/unknown.txt"
for metric in "${metrics[@]}"; do
    base=${metric%%.*}
    if [[ $base == launch__* ]] || grep -q "^$base " "$folder/known.txt"; then
        known+=("$metric")
    else
        echo "$metric" >> "$folder/unknown.txt"
    fi
done
[ "${#known[@]}" -gt 0 ] || known=("${metrics[@]}") # the list reads otherwise than expected

"$nvcc" -std=c++17 -O3 -lineinfo -arch=native -Igrader/include -o "$folder/kernels" \
    hw7_profiling/records/kernels.cu
{
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader
    "$nvcc" --version | tail -n 2
    "$ncu" --version | tail -n 1
    date -u +%F
} > "$folder/device.txt"

"$folder/kernels" > "$folder/labels.tsv" # all of it runs, before anything is profiled
# Each pass starts with a cold cache, and the clocks are left as they are. A metric that ncu
# refuses all the same is named in its error, and left out of the next try.
for _ in 1 2 3; do
    if timeout "$ncu_limit_s" "$ncu" --profile-from-start off --clock-control none \
        --cache-control all --metrics "$(IFS=, && echo "${known[*]}")" --force-overwrite \
        --export "$folder/report" "$folder/kernels" > "$folder/ncu.log" 2>&1; then
        break
    fi
    grep ERROR "$folder/ncu.log" >&2 || { tail -n 20 "$folder/ncu.log" >&2 && exit 1; }
    accepted=()
    for metric in "${known[@]}"; do
        if grep ERROR "$folder/ncu.log" | grep -qF "${metric%%.*}"; then
            echo "$metric" >> "$folder/unknown.txt"
        else
            accepted+=("$metric")
        fi
    done
    known=("${accepted[@]}")
done
"$ncu" --import "$folder/report.ncu-rep" --csv --page raw --print-units base \
    > "$folder/records.csv"
rm -f "$folder/kernels"
echo "$(wc -l < "$folder/labels.tsv") launches," \
    "$(($(wc -l < "$folder/records.csv") - 2)) rows of ${#known[@]} metrics," \
    "$(wc -l < "$folder/unknown.txt") metrics unknown"
