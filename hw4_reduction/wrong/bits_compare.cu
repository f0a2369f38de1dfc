// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=bits-compare task=hw4.3
// Takes the bits of a float for an unsigned key: negative numbers come out above all others.
#include "cuda_try.h"

static __device__ unsigned long long pack(float value, unsigned index)
{
    return (unsigned long long)__float_as_uint(value) << 32 | (unsigned)~index;
}

static __global__ void maximum(const float *in, size_t n, unsigned long long *best)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        atomicMax(best, pack(in[i], (unsigned)i));
}

static __global__ void unpack(
    const float *in, const unsigned long long *best, float *value, unsigned *index)
{
    *index = ~(unsigned)*best;
    *value = in[*index];
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    unsigned long long *best = (unsigned long long *)scratch;
    if (n == 0)
        return cudaErrorInvalidValue;
    cudaMemsetAsync(best, 0, sizeof *best, stream);
    maximum<<<(unsigned)(ceil_div(n, 256) < 1024 ? ceil_div(n, 256) : 1024), 256, 0, stream>>>(
        in, n, best);
    unpack<<<1, 1, 0, stream>>>(in, best, value, index);
    return cudaGetLastError();
}
