// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-limiter task=hw3.3
// The number of blocks is right; what stops is always said to be the warps.
#include "cuda_try.h"

static size_t round_up(size_t n, size_t unit)
{
    return ceil_div(n, unit) * unit;
}

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    if (needs->threads == 0)
        return cudaErrorInvalidValue;
    const size_t warps = ceil_div(needs->threads, 32);
    const size_t a_warp = round_up(32 * needs->registers, gpu->register_unit);
    const size_t bytes = round_up(needs->shared_bytes + gpu->shared_reserved, gpu->shared_unit);
    size_t most = gpu->threads_per_sm / 32 / warps;

    most = most < gpu->blocks_per_sm ? most : gpu->blocks_per_sm;
    if (a_warp > 0) {
        size_t registers =
            gpu->registers_per_sm / gpu->schedulers / a_warp * gpu->schedulers / warps;
        most = most < registers ? most : registers;
    }
    if (bytes > 0)
        most = most < gpu->shared_per_sm / bytes ? most : gpu->shared_per_sm / bytes;
    if (needs->threads > gpu->threads_per_block || needs->shared_bytes > gpu->shared_per_block)
        most = 0;
    found->blocks = (unsigned)most;
    found->limiter = LIMITED_BY_WARPS;
    return cudaSuccess;
}
