// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=written-before task=hw3.6
// Begins at the boundary before the first float, and copies what lies there as well.
#include "cuda_try.h"

static __global__ void copy(const float4 *from, float4 *to, size_t vectors, size_t rest)
{
    const size_t me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = me; i < vectors; i += gridDim.x * (size_t)blockDim.x)
        to[i] = from[i];
    if (me < rest)
        ((float *)(to + vectors))[me] = ((const float *)(from + vectors))[me];
}

static __global__ void copy_each(const float *from, float *to, size_t n)
{
    const size_t me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = me; i < n; i += gridDim.x * (size_t)blockDim.x)
        to[i] = from[i];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const size_t before = (size_t)to / 4 % 4, all = before + n;

    if (n > 0 && (size_t)from % 16 == (size_t)to % 16)
        copy<<<1056, 256, 0, stream>>>(
            (const float4 *)(from - before), (float4 *)(to - before), all / 4, all % 4);
    else if (n > 0)
        copy_each<<<1056, 256, 0, stream>>>(from, to, n);
    return cudaGetLastError();
}
