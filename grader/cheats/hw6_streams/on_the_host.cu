// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw6.1
// The host computes. A kernel that has nothing to do is launched for show.
#include "cuda_try.h"

static __global__ void nothing_kernel()
{
}

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    for (size_t i = 0; i < shape.n; i++) {
        unsigned word = in[i];
        for (unsigned round = 0; round < shape.rounds; round++)
            word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
        out[i] = word;
    }
    nothing_kernel<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
