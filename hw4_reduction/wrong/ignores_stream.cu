// gpu=RACE virtual=RACE diagnosis=other-stream task=hw4.1
// The kernel is in the caller's stream. cudaMemset is not: the stream may still write *out.
#include "cuda_try.h"

static __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float sdata[];
    unsigned tid = threadIdx.x;
    float mine = 0.0f;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + tid; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        mine += in[i];
    sdata[tid] = mine;
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
    cudaError_t status = cudaMemset(out, 0, sizeof *out);
    if (status != cudaSuccess || n == 0)
        return status;
    reduce<<<(unsigned)(ceil_div(n, threads) < 1024 ? ceil_div(n, threads) : 1024), threads,
        threads * sizeof(float), stream>>>(in, out, n);
    return cudaGetLastError();
}
