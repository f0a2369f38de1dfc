// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw3.1
// Right under every launch, but each thread has a stretch of its own, as on a CPU.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t threads = gridDim.x * (size_t)blockDim.x;
    size_t chunk = (count + threads - 1) / threads;
    size_t begin = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * chunk;
    for (size_t i = begin; i < begin + chunk && i < count; i++)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
