/* What ncu wrote: the CSV that --csv --log-file leaves, one row a metric of a launch. */
#ifndef GRADER_PROFILE_NCU_H
#define GRADER_PROFILE_NCU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum metric {
    TIME_NS,
    DRAM_PERCENT,
    SM_PERCENT,
    DRAM_READ_BYTES,
    DRAM_WRITTEN_BYTES,
    LOAD_SECTORS,
    LOAD_REQUESTS,
    STORE_SECTORS,
    STORE_REQUESTS,
    SHARED_LOAD_WAVEFRONTS,
    SHARED_STORE_WAVEFRONTS,
    SHARED_LOAD_CONFLICTS,
    SHARED_STORE_CONFLICTS,
    LOCAL_LOADS,
    LOCAL_STORES,
    WARPS_ACTIVE_PERCENT,
    WARPS_MOST_PERCENT,
    L1_HIT_PERCENT,
    L2_HIT_PERCENT,
    ISSUE_PERCENT,
    REGISTERS,
    LIMIT_WARPS,
    LIMIT_REGISTERS,
    LIMIT_SHARED,
    LIMIT_BLOCKS,
    FIRST_STALL,
    STALLS = 16,
    METRICS = FIRST_STALL + STALLS
};

/* All launches of a kernel with one shape. */
struct measured_kernel {
    char kernel[200], block[48], grid[48];
    size_t launches;
    double values[METRICS]; /* sums, or means weighted by time: in nanoseconds, bytes, per cent */
    bool known[METRICS];
};

/* "gpu__time_duration.sum,…", for --metrics. */
void print_metric_names(FILE *to);

/* The stall that the most warps were in, or -1: of FIRST_STALL … METRICS - 1. Its name and what it
 * means. */
int top_stall(const struct measured_kernel *kernel);
const char *stall_name(int stall);
const char *stall_meaning(int stall);

/* Reads what ncu wrote and fills at most `most` kernels, in the order of their first launches;
 * returns how many there are. Each row goes to `csv` as well, behind the name of the task. Lines
 * that are no CSV are passed over, and values that are no numbers ("n/a") are unknown. */
size_t read_ncu(
    FILE *from, const char *task, struct measured_kernel *kernels, size_t most, FILE *csv);

#endif
