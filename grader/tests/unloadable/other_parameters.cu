// The length comes before the result: to nvcc that is another function. says=it defines no function add_on_gpu() with the contract's parameters
cudaError_t add_on_gpu(const float *a, const float *b, size_t n, float *sum)
{
    return a && b && sum && n ? cudaErrorUnknown : cudaSuccess;
}
