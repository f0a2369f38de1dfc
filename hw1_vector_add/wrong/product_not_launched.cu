// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=hw1.3

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    return cudaSuccess;
}
