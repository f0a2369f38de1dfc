// gpu=not checked (the place it writes to may be mapped or not) virtual=CUDA ERROR diagnosis=illegal-address task=hw4.7
// Reserves places from whatever *count holds before the call.
#include "cuda_try.h"

static __global__ void compact(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned kept, start;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    int item = i < n ? in[i] : 0;
    unsigned place = 0;

    if (threadIdx.x == 0)
        kept = 0;
    __syncthreads();
    if (item > 0)
        place = atomicAdd(&kept, 1); // in shared memory: my place in the block
    __syncthreads();
    if (threadIdx.x == 0)
        start = atomicAdd(count, kept);
    __syncthreads();
    if (item > 0)
        out[start + place] = item;
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
