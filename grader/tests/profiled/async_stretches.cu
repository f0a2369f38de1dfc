// says: cp.async: 32.0 sectors a request
// says: the 32 threads of a warp touch 32 different sectors; 4.0 would do
// says: 32.0 sectors a cp.async request, where 4.0 would do: 88 % of
// says: much of what is moved is not asked for
// says: 32.0 sectors a cp.async, 4.0 would do
// says: unused: stores, local memory
#include "cuda_try.h"

#include <cuda_pipeline.h>

enum : unsigned { THREADS = 64, EACH = 8 };

// As strided_rows.cu, through shared memory: a thread copies a few of its elements at a time.
static __global__ void copies_kernel(const float *in, float *out, struct matrix_shape shape)
{
    __shared__ float stage[EACH][THREADS];
    const size_t row = blockIdx.x, stretch = (shape.columns + THREADS - 1) / THREADS;
    const size_t end = min((threadIdx.x + 1) * stretch, shape.columns);
    float sum = 0.0f;

    for (size_t first = threadIdx.x * stretch; first < end; first += EACH) {
        for (unsigned k = 0; k < EACH; k++)
            if (first + k < end)
                __pipeline_memcpy_async(
                    &stage[k][threadIdx.x], &in[row * shape.columns + first + k], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        for (unsigned k = 0; k < EACH; k++)
            if (first + k < end)
                sum += stage[k][threadIdx.x];
    }
    atomicAdd(&out[row], sum);
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    CUDA_TRY(cudaMemsetAsync(out, 0, shape.rows * sizeof *out, stream));
    if (shape.rows > 0)
        copies_kernel<<<(unsigned)shape.rows, THREADS, 0, stream>>>(in, out, shape);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
