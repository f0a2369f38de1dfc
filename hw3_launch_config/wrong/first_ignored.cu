// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=first-ignored task=hw3.1
// The number of the element is compared with how many there are, not with where they end.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    for (size_t i = first + blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * (size_t)blockDim.x)
        sum[i] = a[i] + b[i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
