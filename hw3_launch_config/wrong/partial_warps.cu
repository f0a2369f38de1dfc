// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=partial-warps task=hw3.2
// A block of n threads if that is enough.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    const unsigned threads = n > 0 && n < 256 ? (unsigned)n : 256;
    size_t blocks = ceil_div(n, threads), most = gpu->sms * (gpu->threads_per_sm / 256);
    blocks = blocks > most ? most : blocks;
    *launch = {blocks > 0 ? (unsigned)blocks : 1, threads};
    return cudaSuccess;
}
