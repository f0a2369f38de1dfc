// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=misaligned-address task=hw4.5
// Reads every row as float4s, also those that do not begin on a 16-byte boundary.
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
    const float4 *row4 = (const float4 *)row;
    float sum = 0.0f;
    for (size_t c = threadIdx.x; c < shape.columns / 4; c += blockDim.x) {
        float4 v = row4[c];
        sum += v.x + v.y + v.z + v.w;
    }
    if (threadIdx.x < shape.columns % 4)
        sum += row[shape.columns / 4 * 4 + threadIdx.x];
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
