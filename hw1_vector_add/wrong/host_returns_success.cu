// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-device-work task=hw1.2

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    return cudaSuccess;
}
