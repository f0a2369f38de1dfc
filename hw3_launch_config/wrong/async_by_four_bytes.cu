// gpu=not checked (how fast it is there has not been measured) virtual=INEFFICIENT diagnosis=narrow-requests task=hw3.6
// Four copies of 4 bytes to shared memory a thread, where one of 16 would do.
#include "cuda_try.h"

#include <cuda_pipeline.h>

static __global__ void copy(const float *from, float *to, size_t head, size_t n)
{
    __shared__ float4 stage[256];
    const size_t vectors = (n - head) / 4, me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const float *source = from + head + 4 * me;
    float *mine = (float *)&stage[threadIdx.x];

    if (me < vectors) {
        for (unsigned k = 0; k < 4; k++)
            __pipeline_memcpy_async(&mine[k], &source[k], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        ((float4 *)(to + head))[me] = stage[threadIdx.x];
    }
    if (me < n - 4 * vectors) {
        const size_t at = me < head ? me : me + 4 * vectors;
        to[at] = from[at];
    }
}

static __global__ void copy_one_by_one(const float *from, float *to, size_t n)
{
    const size_t me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (me < n)
        to[me] = from[me];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const size_t head = min((16 - (size_t)to % 16) % 16 / 4, n);
    if (n == 0)
        return cudaSuccess;
    if ((size_t)from % 16 == (size_t)to % 16)
        copy<<<(unsigned)ceil_div(n / 4 + 4, 256), 256, 0, stream>>>(from, to, head, n);
    else
        copy_one_by_one<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(from, to, n);
    return cudaGetLastError();
}
