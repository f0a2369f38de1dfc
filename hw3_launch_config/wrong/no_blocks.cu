// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-blocks task=hw3.2
// No elements, no blocks; but a grid of 0 blocks is an error.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    size_t blocks = ceil_div(n, 256), most = gpu->sms * (gpu->threads_per_sm / 256);
    *launch = {(unsigned)(blocks > most ? most : blocks), 256};
    return cudaSuccess;
}
