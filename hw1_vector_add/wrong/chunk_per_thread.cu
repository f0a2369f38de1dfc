// gpu=TOO SLOW virtual=TOO SLOW diagnosis=uncoalesced task=hw1.1
#include "cuda_try.h"

// 64 elements a thread: fewer threads, each with more to do, as on a CPU.
static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = thread * 64; i < (thread + 1) * 64; i++)
        if (i < count)
            sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    size_t blocks = ceil_div(span.count, threads * (size_t)64);
    add_kernel<<<(unsigned)blocks, threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
