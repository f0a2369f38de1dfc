// says: the same bytes are read again and again
// says: 8 launches read 33.6 MB each, 268 MB in all, of no more than 33.6 MB that
// says: that there are: the same bytes come back 8.0 times
// says: 8 launches of 2,048 warps each
#include "cuda_try.h"

// Every launch reads the whole matrix and keeps an eighth of the rows.
static __global__ void every_eighth_kernel(
    const float *in, float *out, struct matrix_shape shape, unsigned which)
{
    __shared__ float sums[256];
    const size_t row = blockIdx.x;
    float sum = 0.0f;

    for (size_t i = threadIdx.x; i < shape.columns; i += 256)
        sum += in[row * shape.columns + i];
    sums[threadIdx.x] = sum;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0 && row % 8 == which)
        out[row] = sums[0];
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    for (unsigned which = 0; which < 8 && shape.rows > 0; which++)
        every_eighth_kernel<<<(unsigned)shape.rows, 256, 0, stream>>>(in, out, shape, which);
    return cudaGetLastError();
}
