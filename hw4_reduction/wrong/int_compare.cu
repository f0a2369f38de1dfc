// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=int-compare task=hw4.3
// Takes the bits of a float for an integer: among negative numbers that order is reversed.
#include "cuda_try.h"

static __device__ long long pack(float value, unsigned index)
{
    return (long long)__float_as_int(value) << 32 | ~index;
}

static __global__ void maximum(const float *in, size_t n, long long *best)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        atomicMax(best, pack(in[i], (unsigned)i));
}

static __global__ void unpack(const float *in, const long long *best, float *value, unsigned *index)
{
    *index = ~(unsigned)*best;
    *value = in[*index];
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    long long *best = (long long *)scratch;
    if (n == 0)
        return cudaErrorInvalidValue;
    cudaMemsetAsync(best, 0x80, sizeof *best, stream); // far below every float
    maximum<<<(unsigned)(ceil_div(n, 256) < 1024 ? ceil_div(n, 256) : 1024), 256, 0, stream>>>(
        in, n, best);
    unpack<<<1, 1, 0, stream>>>(in, best, value, index);
    return cudaGetLastError();
}
