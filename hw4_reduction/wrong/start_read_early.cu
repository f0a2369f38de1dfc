// gpu=not checked (right by luck on silicon) virtual=RACE diagnosis=shared-race task=hw4.7
// No barrier after thread 0 has reserved the block's part: the others may read an old start.
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
    if (item > 0)
        out[start + place] = item;
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaMemsetAsync(count, 0, sizeof *count, stream);
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
