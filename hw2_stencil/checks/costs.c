/* What each task may cost: requests and sectors. */
#include "checks.h"

/* An atomic that changes nothing reads as well. */
static double global_reads(const struct vgpu_counters *made)
{
    return counted_load_requests(made) + (double)made->global_atomic_requests;
}

static double all_loads(const struct vgpu_counters *made)
{
    return global_reads(made) + (double)(made->shared_load_requests + made->local_load_requests);
}

const struct cost_gate tile_cost = {
    "loads-not-shared", "global load requests for 32 outputs", global_reads, .most = 3};
const struct cost_gate window_cost = {
    "loads-an-output", "load requests for 32 outputs", all_loads, .most = 12};
const struct cost_gate product_cost = {"tile-not-reused",
    "sectors loaded for 1,000 multiplications", counted_load_sectors, .most = 16};
