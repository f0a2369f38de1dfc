// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=gpu-not-full task=hw3.2
// 1,024 blocks of 256 threads, as one finds it written: no more than n needs, but the same on every
// GPU.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *, size_t n, struct launch *launch)
{
    size_t blocks = ceil_div(n, 256);
    blocks = blocks > 1024 ? 1024 : blocks;
    *launch = {blocks > 0 ? (unsigned)blocks : 1, 256};
    return cudaSuccess;
}
