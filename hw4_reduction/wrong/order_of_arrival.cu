// gpu=not checked (blocks may happen to arrive in the same order) virtual=WRONG ANSWER diagnosis=order-dependent task=hw4.4
// Blocks add in the order in which they end, and float additions depend on their order.
#include "cuda_try.h"

static __global__ void single_pass(const float *in, float *out, size_t n)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        sum += in[i];
    tile[threadIdx.x] = sum;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(out, tile[0]);
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    size_t blocks = ceil_div(n, 4096);
    cudaMemsetAsync(out, 0, sizeof *out, stream);
    if (n > 0)
        single_pass<<<(unsigned)(blocks < 512 ? blocks : 512), 256, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
