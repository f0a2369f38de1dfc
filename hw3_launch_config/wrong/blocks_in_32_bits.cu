// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=count-32-bits task=hw3.2
// The blocks that n needs are counted in 32 bits.
#include "cuda_try.h"

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    unsigned blocks = (unsigned)ceil_div(n, 256), most = gpu->sms * (gpu->threads_per_sm / 256);
    blocks = blocks > most ? most : blocks;
    *launch = {blocks > 0 ? blocks : 1, 256};
    return cudaSuccess;
}
