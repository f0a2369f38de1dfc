// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=copy-of-input task=hw4.6
// Hands back the input.
cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    return cudaMemcpyAsync(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
}
