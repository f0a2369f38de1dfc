// gpu=WRONG ANSWER virtual=not checked (it times one call, and the first is right) diagnosis=wrong-when-timed task=hw1.1
// One call does the work, and the next does none.
#include "cuda_try.h"

static __global__ void add(const float *a, const float *b, float *sum, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    const size_t f = span.first, n = span.count;
    const unsigned blocks = (unsigned)ceil_div(n, threads);

    static unsigned timed_calls;

    if (n > 1 << 22 && timed_calls++ % 2 == 1)
        return cudaSuccess;
    if (n > 0)
        add<<<blocks, threads, 0, stream>>>(a + f, b + f, sum + f, n);
    return cudaGetLastError();
}
