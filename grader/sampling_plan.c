/* The two plans. */
#include "sampling_plan.h"

#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define MS ((uint64_t)1000000)

/* On an H200 a launch and a synchronise take 9 us, a few per cent of 0.25 ms. A baseline of 24 ms
 * leaves time for 63 pairs. A candidate of 150 ms is far below any gate, and display watchdogs
 * end what takes seconds. */
static const struct sampling_plan gpu_plan = {
    .working_set_bytes = 256 * MIB,
    .l2_multiple = 4,
    .link_set_bytes = 64 * MIB,
    .limit_ns_min = MS / 4,
    .sweep_calls = 8,
    .sweep_bytes_max = SIZE_MAX,
    .compute_set_bytes = 256 * MIB,
    .probe_bytes = 1 * MIB,
    .baseline_ns_max = 24 * MS,
    .candidate_ns_max = 150 * MS,
    .call_ns_max = 500 * MS,
    .early_pairs = 7,
    .pairs = 21,
    .more_pairs = 63,
    .attempts = 3,
    .sampling_ns_max = 1500 * MS,
    .warm_up_ns_max = 100 * MS,
    .idle_ns_max = 250e3, /* 10 µs on an H200 of one's own (2026-11-30) */
    .quieten = true,
};

/* The virtual GPU is an H200 cut to 8 of its 132 SMs: a sixteenth of the size keeps the ratios.
 * Its clock has no noise, so one pair says all of the time; the call before it makes what is
 * made once, and shows that a call works again. */
static const struct sampling_plan virtual_plan = {
    .working_set_bytes = 32 * MIB,
    .l2_multiple = 4,
    .link_set_bytes = 4 * MIB,
    .sweep_calls = 1,
    .sweep_bytes_max = 4 * MIB,
    .compute_set_bytes = 1 * MIB,
    .probe_bytes = SIZE_MAX,
    .baseline_ns_max = UINT64_MAX,
    .candidate_ns_max = UINT64_MAX,
    .call_ns_max = UINT64_MAX,
    .pairs = 1,
    .more_pairs = 1,
    .attempts = 1,
    .sampling_ns_max = UINT64_MAX,
    .calls_before = 1,
    .modelled = true,
};

struct sampling_plan sampling_plan_for(bool virtual_gpu)
{
    struct sampling_plan plan = virtual_gpu ? virtual_plan : gpu_plan;

    /* Under WSL launches wait for each other in batches, and how long has not been measured. */
    if (access("/dev/dxg", F_OK) == 0)
        plan.idle_ns_max = 0;
    return plan;
}
