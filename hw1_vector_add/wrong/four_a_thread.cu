// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=uncoalesced task=hw1.1
#include "cuda_try.h"

// Four neighbours a thread: each load of the warp touches 16 sectors and uses every fourth float of
// them. The next loads find the rest in L1, so a GPU with bandwidth to spare hides most of it.
static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t start = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
    for (size_t i = start; i < start + 4; i++)
        if (i < count)
            sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    size_t blocks = ceil_div(span.count, threads * (size_t)4);
    add_kernel<<<(unsigned)blocks, threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
