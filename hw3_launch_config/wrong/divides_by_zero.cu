// gpu=CRASHED virtual=CRASHED diagnosis=division-by-zero task=hw3.3
// Divides by what a block does not use: no shared bytes, none reserved.
#include "cuda_try.h"

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    if (needs->threads == 0)
        return cudaErrorInvalidValue;
    const size_t warps = ceil_div(needs->threads, 32);
    const size_t a_warp = ceil_div(32 * needs->registers, gpu->register_unit) * gpu->register_unit;
    const size_t bytes =
        ceil_div(needs->shared_bytes + gpu->shared_reserved, gpu->shared_unit) * gpu->shared_unit;
    size_t most[LIMITERS];

    most[LIMITED_BY_WARPS] = gpu->threads_per_sm / 32 / warps;
    if (needs->threads > gpu->threads_per_block)
        most[LIMITED_BY_WARPS] = 0;
    most[LIMITED_BY_BLOCKS] = gpu->blocks_per_sm;
    most[LIMITED_BY_REGISTERS] = needs->registers == 0 ? ~(size_t)0
                                                       : gpu->registers_per_sm / gpu->schedulers /
                                                             a_warp * gpu->schedulers / warps;
    most[LIMITED_BY_SHARED] =
        needs->shared_bytes > gpu->shared_per_block ? 0 : gpu->shared_per_sm / bytes;
    int least = 0;
    for (int k = 1; k < LIMITERS; k++)
        if (most[k] < most[least])
            least = k;
    found->blocks = (unsigned)most[least];
    found->limiter = (enum limiter)least;
    return cudaSuccess;
}
