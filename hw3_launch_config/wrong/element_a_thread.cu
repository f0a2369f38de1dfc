// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw3.2
// Right by the rules, in the smallest blocks that fill an SM, but with an element a thread: most of
// the time goes by in starting blocks.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    unsigned threads = 64;
    while (gpu->threads_per_sm % threads != 0 || gpu->threads_per_sm / threads > gpu->blocks_per_sm)
        threads += 32;
    const size_t blocks = min(ceil_div(n, threads), (size_t)2147483647);
    *launch = {blocks > 0 ? (unsigned)blocks : 1, threads};
    return cudaSuccess;
}
