// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw3.1
// Every block goes on by its own width: right, but all blocks but the last repeat what others do.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += blockDim.x)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
