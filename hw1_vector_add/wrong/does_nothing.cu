// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=hw1.1

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    return cudaSuccess;
}
