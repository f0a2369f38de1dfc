// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=more-than-one-launch task=hw4.4
// Right and deterministic, but by a second launch, which the task is about doing without.
#include "cuda_try.h"

static __global__ void sum_blocks(const float *in, size_t n, float *sums)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        sum += in[i];
    tile[threadIdx.x] = sum;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = tile[0];
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    float *sums = (float *)scratch;
    size_t blocks = ceil_div(n, 4096);
    blocks = blocks < 1 ? 1 : blocks < 512 ? blocks : 512;
    sum_blocks<<<(unsigned)blocks, 256, 0, stream>>>(in, n, sums);
    sum_blocks<<<1, 256, 0, stream>>>(sums, blocks, out);
    return cudaGetLastError();
}
