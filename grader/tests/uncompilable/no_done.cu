// CUDA_TRY without its label. task=hw1.2 line=8 says=write done: where its clean-up begins
#include "cuda_try.h"

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw1.2): add two arrays of the host on the GPU.
    CUDA_TRY(cudaGetLastError());
    // END(hw1.2)
    return status;
}
