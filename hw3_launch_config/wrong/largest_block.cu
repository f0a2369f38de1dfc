// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=sm-not-full task=hw3.2
// The largest block there is: where an SM has room for 1,536 threads, a third of it stays empty.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    const unsigned threads = gpu->threads_per_block;
    size_t blocks = ceil_div(n, threads), most = gpu->sms * (gpu->threads_per_sm / threads);
    blocks = blocks > most ? most : blocks;
    *launch = {blocks > 0 ? (unsigned)blocks : 1, threads};
    return cudaSuccess;
}
