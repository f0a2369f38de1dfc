// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw3.1
// Right under every launch, but the last block goes through all elements alone; the others idle.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    if (blockIdx.x != gridDim.x - 1)
        return;
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
