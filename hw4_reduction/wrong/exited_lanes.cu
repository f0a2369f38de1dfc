// gpu=not checked (undefined: what a lane that has ended sends is luck) virtual=BARRIER diagnosis=warp-sync task=hw4.5
// Threads without a column return, and the fold then reads from lanes that have ended.
#include "cuda_try.h"

static __device__ float block_sum(float value)
{
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
        for (unsigned offset = 16; offset > 0; offset /= 2)
            value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

static __global__ void rows(const float *in, float *out, struct matrix_shape shape)
{
    const float *row = in + blockIdx.x * shape.columns;
    float sum = 0.0f;
    if (threadIdx.x > 0 && threadIdx.x >= shape.columns)
        return;
    for (size_t c = threadIdx.x; c < shape.columns; c += blockDim.x)
        sum += row[c];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        rows<<<(unsigned)shape.rows, 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
