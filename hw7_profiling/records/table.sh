#!/usr/bin/env bash
# From what record.sh left in a folder to the records of hw7.4: table.sh FOLDER > h200.inc
set -euo pipefail

folder=${1:?usage: table.sh FOLDER > h200.inc}

# The members of struct kernel_metrics, in order.
metrics=(
    sm__cycles_active.avg.pct_of_peak_sustained_elapsed
    dram__throughput.avg.pct_of_peak_sustained_elapsed
    lts__t_sectors.avg.pct_of_peak_sustained_elapsed
    l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
    sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active
    sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active
)

# Those whose verdict the README tells; the others are graded.
shown=(copy-float4 read-l1 fma-8-chains polynomial-64 fma-half-the-sms sum-tree given-average
    given-vector)

# A verdict must be clear. These are within six points of the 60, …
left_out=(copy-float copy-step-32 gather read-l2 chase-all reference-vectors)
# … or bound by what is not among the metrics: special functions, the half of the FP32 pipe
# that multiplies integers, other parts of the L2 cache. And half2 keeps two of them busy alike.
left_out+=(sines multiply-integers transpose-naive histogram-shared half2-fma)

{
    echo "/* Made by records/table.sh from what Nsight Compute counted on this device:"
    sed 's/^/ *   /; s/, [0-9]* MHz//g' "$folder/device.txt"
    echo " * name, shown in the README, then struct kernel_metrics: sm_active, dram, l2, l1 of the"
    echo " * whole time, fp32, fp64, integer, tensor of the time in which SMs were active. */"
}
awk -F '","' -v metrics="${metrics[*]}" -v shown=" ${shown[*]} " -v left_out=" ${left_out[*]} " '
    FNR == NR { split($0, launch, "\t"); label[launch[1]] = launch[2]; next }
    FNR == 1 { for (i = 1; i <= NF; i++) { name = $i; gsub("\"", "", name); column[name] = i } }
    FNR <= 2 { next } # names, units
    {
        id = $1; gsub("\"", "", id)
        if (index(left_out, " " label[id] " ")) next
        printf "{\"%s\", %s, {", label[id], index(shown, " " label[id] " ") ? "true" : "false"
        count = split(metrics, metric, " ")
        for (i = 1; i <= count; i++) {
            value = $column[metric[i]]; gsub("[\",]", "", value)
            printf "%s%s", value, i < count ? ", " : "}},\n"
        }
    }' "$folder/labels.tsv" "$folder/records.csv"
