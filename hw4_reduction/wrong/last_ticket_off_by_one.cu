// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-last-block task=hw4.4
// Waits for a ticket that is never drawn: the old values are 0 to gridDim.x - 1.
#include "cuda_try.h"

struct state {
    unsigned ticket;
    float sums[512];
};

static __device__ float block_sum(float value)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = value;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
    }
    __syncthreads();
    value = tile[0];
    __syncthreads();
    return value;
}

static __global__ void single_pass(const float *in, float *out, size_t n, struct state *state)
{
    __shared__ bool last;
    float sum = 0.0f;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        state->sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&state->ticket, gridDim.x) == gridDim.x;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    sum = 0.0f;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        sum += state->sums[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    size_t blocks = ceil_div(n, 4096);
    blocks = blocks < 1 ? 1 : blocks < 512 ? blocks : 512;
    single_pass<<<(unsigned)blocks, 256, 0, stream>>>(in, out, n, (struct state *)scratch);
    return cudaGetLastError();
}
