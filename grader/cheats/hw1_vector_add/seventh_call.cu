// gpu=WRONG ANSWER virtual=not checked (it times one call, and the first is right) diagnosis=wrong-when-timed task=hw1.1
// One element is wrong, in the seventh call of full size only.
#include "cuda_try.h"

static __global__ void add(const float *a, const float *b, float *sum, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

static __global__ void spoil(float *element)
{
    *element += 1;
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    const size_t f = span.first, n = span.count;
    const unsigned blocks = (unsigned)ceil_div(n, threads);

    static size_t last_n, calls;

    calls = n == last_n ? calls + 1 : 1;
    last_n = n;
    if (n > 0)
        add<<<blocks, threads, 0, stream>>>(a + f, b + f, sum + f, n);
    if (n > 1 << 22 && calls == 7)
        spoil<<<1, 1, 0, stream>>>(sum + f + n / 3);
    return cudaGetLastError();
}
