// gpu=TOO SLOW virtual=TOO SLOW diagnosis=uncoalesced task=hw1.1
#include "cuda_try.h"

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = threadIdx.x * (size_t)gridDim.x + blockIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    size_t blocks = ceil_div(span.count, threads);
    add_kernel<<<(unsigned)blocks, threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
