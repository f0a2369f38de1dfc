// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-block-stride task=hw4.5
// One element a thread: what lies past the block's width is nobody's.
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
    size_t row = blockIdx.x;
    size_t c = threadIdx.x;
    float sum = c < shape.columns ? in[row * shape.columns + c] : 0.0f;
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[row] = sum;
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        rows<<<(unsigned)shape.rows, 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
