// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=vector-tail-repeated task=hw4.2
// Every thread of the grid adds the elements after the last whole float4.
#include "cuda_try.h"

static __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float sdata[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float val = 0.0f;
    size_t idx = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    const float4 *in4 = (const float4 *)in;
    for (size_t i = idx; i < n / 4; i += stride) {
        float4 v = in4[i];
        val += v.x + v.y + v.z + v.w;
    }
    for (size_t i = n / 4 * 4; i < n; i++)
        val += in[i];

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
