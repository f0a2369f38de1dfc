// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw3.6
// All floats one by one, whatever the alignment.
#include "cuda_try.h"

static __global__ void copy(const float *from, float *to, size_t head, size_t vectors, size_t n)
{
    const size_t threads = gridDim.x * (size_t)blockDim.x;
    const size_t me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const float4 *source = (const float4 *)(from + head);
    float4 *target = (float4 *)(to + head);

    for (size_t i = me; i < vectors; i += threads)
        target[i] = source[i];
    for (size_t i = me; i < head; i += threads)
        to[i] = from[i];
    for (size_t i = head + 4 * vectors + me; i < n; i += threads)
        to[i] = from[i];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    size_t head = (4 - (size_t)to / 4 % 4) % 4;
    head = head < n ? head : n;
    size_t vectors = (n - head) / 4;
    if (true)
        vectors = 0;
    if (n > 0)
        copy<<<2112, 256, 0, stream>>>(from, to, head, vectors, n);
    return cudaGetLastError();
}
