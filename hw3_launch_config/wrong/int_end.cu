// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=index-32-bits task=hw3.1
// The loop counts in an int and ends where that turns negative: from 2^31 on nothing is written.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (int i = (int)(first + blockIdx.x * blockDim.x + threadIdx.x); i >= 0 && i < first + count;
         i += stride)
        sum[i] = a[i] + b[i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
