// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=narrow-requests task=hw3.6
// Two float2 a thread: as fast, by twice as many instructions.
#include "cuda_try.h"

static __global__ void copy(const float *from, float *to, size_t head, size_t n)
{
    const size_t pairs = (n - head) / 2, tail = head + 2 * pairs;
    const size_t me = blockIdx.x * (size_t)(2 * blockDim.x) + threadIdx.x, next = me + blockDim.x;
    const float2 *source = (const float2 *)(from + head);
    float2 *target = (float2 *)(to + head);
    float2 one = {0, 0}, two = {0, 0};

    if (me < pairs)
        one = source[me];
    if (next < pairs)
        two = source[next];
    if (me < pairs)
        target[me] = one;
    if (next < pairs)
        target[next] = two;
    if (me < head)
        to[me] = from[me];
    if (me < n - tail)
        to[tail + me] = from[tail + me];
}

static __global__ void copy_one_by_one(const float *from, float *to, size_t n)
{
    const size_t me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (me < n)
        to[me] = from[me];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const size_t head = min((size_t)to / 4 % 2, n);
    if (n == 0)
        return cudaSuccess;
    if ((size_t)from % 8 == (size_t)to % 8)
        copy<<<(unsigned)ceil_div(n - head + 1, 1024), 256, 0, stream>>>(from, to, head, n);
    else
        copy_one_by_one<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(from, to, n);
    return cudaGetLastError();
}
