// A variable that is declared between two CUDA_TRY. task=hw1.2 line=8 says=above the first CUDA_TRY
#include "cuda_try.h"

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw1.2): add two arrays of the host on the GPU.
    CUDA_TRY(cudaGetLastError());
    size_t bytes = n * sizeof(float);
    CUDA_TRY(cudaMemcpy(sum, a, bytes, cudaMemcpyHostToHost));
    // END(hw1.2)
done:
    return status;
}
