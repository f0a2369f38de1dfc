// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-grid-stride task=hw3.1
// One element a thread, as in hw1: a grid that is too small leaves the rest.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
