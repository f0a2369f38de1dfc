// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-grid-stride task=hw4.1
// A grid of 64 blocks, and each thread takes one element: the rest is nobody's.
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
    reduce<<<64, threads, threads * sizeof(float), stream>>>(in, out, n);
    return cudaGetLastError();
}
