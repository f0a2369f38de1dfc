// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=copied-by-the-runtime task=hw3.6
// cudaMemcpyAsync can do it, and teaches nothing.
cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}
