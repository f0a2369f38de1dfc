// says: too little parallelism
// says: 1 warp for 8 SMs
// says: to keep the memory of an H200 busy takes about 12.9 KB
// says: only 1 of the 8 SMs get a block
#include "cuda_try.h"

// One block of one warp does it all: the loads are coalesced, and far too few are under way.
static __global__ void one_block_kernel(const float *in, float *out, struct matrix_shape shape)
{
    for (size_t row = 0; row < shape.rows; row++) {
        float sum = 0.0f;
        for (size_t column = threadIdx.x; column < shape.columns; column += 32)
            sum += in[row * shape.columns + column];
        for (unsigned offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (threadIdx.x == 0)
            out[row] = sum;
    }
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows == 0)
        return cudaSuccess;
    one_block_kernel<<<1, 32, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
