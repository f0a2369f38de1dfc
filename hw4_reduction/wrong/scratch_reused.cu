// gpu=not checked (right by luck on silicon) virtual=RACE diagnosis=shared-race task=hw4.5
// A fast warp stores its sum of the next row while warp 0 still reads those of this one.
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
    for (size_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
        float sum = 0.0f;
        for (size_t c = threadIdx.x; c < shape.columns; c += blockDim.x)
            sum += in[row * shape.columns + c];
        sum = block_sum(sum);
        if (threadIdx.x == 0)
            out[row] = sum;
    }
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        rows<<<(unsigned)(shape.rows < 64 ? shape.rows : 64), 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
