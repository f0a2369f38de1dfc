// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=shared-memory-used task=hw8.2
// The tiles' sums are right, but go through shared memory.
#include "cuda_try.h"

template <unsigned SIZE> static __global__ void sum_tiles_kernel(const int *in, int *out, size_t n)
{
    __shared__ int values[256];
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const unsigned first = threadIdx.x / SIZE * SIZE;
    int sum = 0;

    values[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (threadIdx.x == first && i < n) {
        for (unsigned k = 0; k < SIZE; k++)
            sum += values[first + k];
        out[i / SIZE] = sum;
    }
}

cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
    void (*const kernels[])(const int *, int *, size_t) = {sum_tiles_kernel<1>, sum_tiles_kernel<2>,
        sum_tiles_kernel<4>, sum_tiles_kernel<8>, sum_tiles_kernel<16>, sum_tiles_kernel<32>};
    const unsigned threads = 256;

    for (unsigned k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (tile != 1u << k)
            continue;
        if (n > 0)
            kernels[k]<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(in, out, n);
        return cudaGetLastError();
    }
    return cudaErrorInvalidValue;
}
