// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=power-of-two-only task=hw4.1
// The loop of the lecture notes: halving 33 gives 16, and element 32 is never added.
#include "cuda_try.h"

static __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float sdata[];
    unsigned tid = threadIdx.x;
    size_t idx = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    sdata[tid] = 0.0f;
    while (idx < n) {
        sdata[tid] += in[idx];
        idx += (size_t)gridDim.x * blockDim.x;
    }
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (tid < s)
            sdata[tid] += sdata[tid + s];
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
