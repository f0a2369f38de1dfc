// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=identity-finite task=hw4.3
// Starts from the lowest finite number, which -infinity does not exceed.
#include "cuda_try.h"

static __device__ void take(float &value, unsigned &index, float other, unsigned at)
{
    if (other > value || (other == value && at < index)) {
        value = other;
        index = at;
    }
}

// One block of 1,024 threads finds it all: slow, but the task is not timed.
static __global__ void maximum(const float *in, float *value, unsigned *index, size_t n)
{
    __shared__ float values[1024];
    __shared__ unsigned indices[1024];
    float best = -3.402823466e38f;
    unsigned where = 0xffffffff;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        take(best, where, in[i], (unsigned)i);
    values[threadIdx.x] = best;
    indices[threadIdx.x] = where;
    for (unsigned half = 512; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            take(values[threadIdx.x], indices[threadIdx.x], values[threadIdx.x + half],
                indices[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) {
        *value = values[0];
        *index = indices[0];
    }
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    if (n == 0)
        return cudaErrorInvalidValue;
    maximum<<<1, 1024, 0, stream>>>(in, value, index, n);
    return cudaGetLastError();
}
