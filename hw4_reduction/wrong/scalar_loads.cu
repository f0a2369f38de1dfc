// gpu=TOO SLOW virtual=TOO SLOW diagnosis=narrow-loads task=hw4.2
// The shuffle reduction of the lecture notes, one float at a time.
#include "cuda_try.h"

static __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float sdata[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float val = 0.0f;
    size_t idx = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    while (idx < n) {
        val += in[idx];
        idx += (size_t)gridDim.x * blockDim.x;
    }

    for (int offset = 16; offset > 0; offset >>= 1)
        val += __shfl_down_sync(0xffffffff, val, offset);
    if (lane == 0)
        sdata[warp] = val;
    __syncthreads();
    if (warp == 0) {
        val = lane < blockDim.x / 32 ? sdata[lane] : 0.0f;
        for (int offset = 16; offset > 0; offset >>= 1)
            val += __shfl_down_sync(0xffffffff, val, offset);
        if (lane == 0)
            atomicAdd(out, val);
    }
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    size_t blocks = ceil_div(n, threads * (size_t)16);
    cudaMemsetAsync(out, 0, sizeof(float), stream);
    if (n > 0)
        reduce<<<(unsigned)(blocks < 1056 ? blocks : 1056), threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
