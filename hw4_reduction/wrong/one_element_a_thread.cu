// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw4.1
// One element a thread: as many blocks, trees and atomics as the data has blocks.
#include "cuda_try.h"

static __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float sdata[];
    unsigned tid = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned left = blockDim.x, half; left > 1; left = half) {
        half = (left + 1) / 2;
        if (tid + half < left)
            sdata[tid] += sdata[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, sdata[0]);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaMemsetAsync(out, 0, sizeof(float), stream);
    if (n == 0)
        return cudaSuccess;
    reduce<<<(unsigned)ceil_div(n, threads), threads, threads * sizeof(float), stream>>>(
        in, out, n);
    return cudaGetLastError();
}
