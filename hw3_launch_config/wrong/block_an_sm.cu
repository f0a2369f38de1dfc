// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=gpu-not-full task=hw3.2
// One block an SM: it holds several.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    size_t blocks = ceil_div(n, 256);
    blocks = blocks > gpu->sms ? gpu->sms : blocks;
    *launch = {blocks > 0 ? (unsigned)blocks : 1, 256};
    return cudaSuccess;
}
