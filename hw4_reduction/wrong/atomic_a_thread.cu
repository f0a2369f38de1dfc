// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=float-accumulator task=hw4.1
// No tree: an atomic a thread. One float takes in thousands of shares and loses their last bits.
#include "cuda_try.h"

static __global__ void add_shares(const float *in, float *out, size_t n)
{
    float mine = 0.0f;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        mine += in[i];
    atomicAdd(out, mine);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    size_t blocks = ceil_div(n, threads);
    cudaMemsetAsync(out, 0, sizeof(float), stream);
    if (n > 0)
        add_shares<<<(unsigned)(blocks < 1056 ? blocks : 1056), threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
