// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=other-launch task=hw3.1
// A grid-stride loop, and a launch of its own choice that is always the same.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * (size_t)blockDim.x)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch, cudaStream_t stream)
{
    add<<<1024, 256, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
