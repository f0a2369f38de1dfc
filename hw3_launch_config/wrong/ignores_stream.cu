// gpu=RACE virtual=RACE diagnosis=other-stream task=hw3.6
// Whole vectors are copied in the caller's stream, what is left over at the ends is not.
#include "cuda_try.h"

static __global__ void copy_vectors(const float4 *from, float4 *to, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        to[i] = from[i];
}

static __global__ void copy_rest(const float *from, float *to, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        to[i] = from[i];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    size_t head = (4 - (size_t)to / 4 % 4) % 4;
    head = head < n ? head : n;
    size_t vectors = (n - head) / 4;
    if (((size_t)from - (size_t)to) % 16 != 0)
        vectors = 0;
    const size_t tail = head + 4 * vectors;
    if (vectors > 0)
        copy_vectors<<<2112, 256, 0, stream>>>(
            (const float4 *)(from + head), (float4 *)(to + head), vectors);
    if (head > 0)
        copy_rest<<<1, 32>>>(from, to, head);
    if (n > tail)
        copy_rest<<<2112, 256>>>(from + tail, to + tail, n - tail);
    return cudaGetLastError();
}
