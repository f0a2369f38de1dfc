/* What each task may cost: requests, sectors and bank conflicts. */
#include "checks.h"

static double conflicts(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_conflicts + made->shared_store_conflicts);
}

static double wavefronts(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_wavefronts + made->shared_store_wavefronts);
}

const struct cost_gate not_scattered = {"uncoalesced", "sectors moved for each that the bytes fill",
    counted_sectors, counted_sectors_ideal, 3};
const struct cost_gate whole_particles = {"uncoalesced",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 2};
const struct cost_gate whole_loads = {"four-loads-a-particle",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 2};
const struct cost_gate once = {
    "done-again", "bytes moved for each that the sums take", counted_bytes, NULL, 1.01};
const struct cost_gate conflict_free = {
    "bank-conflicts", "bank conflicts a wavefront of shared memory", conflicts, wavefronts, 0.02};
const struct cost_gate wide = {
    "narrow-requests", "loads or stores for each 16 bytes of a lane", counted_requests, NULL, 1.1};
