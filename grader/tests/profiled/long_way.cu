// says: the arithmetic units
// says: local memory, which lies in device memory
// says: bytes a thread in local memory
#include "cuda_try.h"

// Right, after many instructions for each element, through an array that is indexed at run time.
static __global__ void long_way_kernel(const float *in, float *out, struct matrix_shape shape)
{
    float parts[7] = {};
    float sum = 0.0f;

    for (size_t i = threadIdx.x; i < shape.columns; i += 256) {
        unsigned which = (unsigned)i + 1;
        for (unsigned turn = 0; turn < 80; turn++) {
            which ^= which << 13;
            which ^= which >> 17;
            which ^= which << 5;
        }
        parts[which % 7] += in[blockIdx.x * shape.columns + i];
    }
    for (unsigned k = 0; k < 7; k++)
        sum += parts[k];
    atomicAdd(&out[blockIdx.x], sum);
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    CUDA_TRY(cudaMemsetAsync(out, 0, shape.rows * sizeof *out, stream));
    if (shape.rows > 0)
        long_way_kernel<<<(unsigned)shape.rows, 256, 0, stream>>>(in, out, shape);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
