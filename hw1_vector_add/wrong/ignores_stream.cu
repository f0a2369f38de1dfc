// gpu=RACE virtual=RACE diagnosis=other-stream task=hw1.1
// The launch has no fourth argument, so it is in the default stream.
#include "cuda_try.h"

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    add_kernel<<<(unsigned)ceil_div(span.count, threads), threads>>>(
        a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
