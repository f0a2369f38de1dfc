// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=cuda-error task=hw8.4
// Says that the device has no cooperative launch, hoping that nobody can ask for the work then.
cudaError_t jacobi(const float *, float *, size_t, unsigned, void *, cudaStream_t)
{
    return cudaErrorNotSupported;
}
