// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=index-32-bits task=hw3.1
// The index is an int: beyond 2^31 it is negative.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    const int end = (int)(first + count);
    for (int i = (int)first + blockIdx.x * blockDim.x + threadIdx.x; i - end < 0;
         i += gridDim.x * blockDim.x)
        sum[i] = a[i] + b[i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
