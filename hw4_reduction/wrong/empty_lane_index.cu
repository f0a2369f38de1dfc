// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=index-of-empty-lane task=hw4.3
// Threads past the end reread the last element, but under index 0.
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
    float best = -INFINITY;
    unsigned where = 0xffffffff;

    size_t rounded_up = (n / 1024 + (n % 1024 != 0)) * 1024;
    for (size_t i = threadIdx.x; i < rounded_up; i += blockDim.x)
        take(best, where, in[i < n ? i : n - 1], i < n ? (unsigned)i : 0);
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
