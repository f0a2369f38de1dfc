// gpu=TIMED OUT virtual=TIMED OUT diagnosis=time-limit task=hw4.1
// Rounds up when it halves, and so never gets from 1 to 0.
#include "cuda_try.h"

static __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float sdata[];
    unsigned tid = threadIdx.x, left = blockDim.x;
    float mine = 0.0f;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + tid; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        mine += in[i];
    sdata[tid] = mine;
    __syncthreads();
    for (unsigned half = (left + 1) / 2; half > 0; half = (left + 1) / 2) {
        if (tid + half < left)
            sdata[tid] += sdata[tid + half];
        __syncthreads();
        left = half;
    }
    if (tid == 0)
        atomicAdd(out, sdata[0]);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaMemsetAsync(out, 0, sizeof(float), stream);
    if (n == 0)
        return cudaSuccess;
    reduce<<<(unsigned)(ceil_div(n, threads) < 1024 ? ceil_div(n, threads) : 1024), threads,
        threads * sizeof(float), stream>>>(in, out, n);
    return cudaGetLastError();
}
