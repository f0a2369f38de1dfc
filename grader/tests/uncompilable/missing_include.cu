// Without the header of CUDA_TRY. task=hw1.2 line=7 says=#include "cuda_try.h" at the top

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw1.2): add two arrays of the host on the GPU.
    CUDA_TRY(cudaMemcpy(sum, a, n, cudaMemcpyHostToHost));
    // END(hw1.2)
done:
    return status;
}
