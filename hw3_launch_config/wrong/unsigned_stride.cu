// gpu=TIMED OUT virtual=not checked (a grid of 2^32 threads takes it hours) diagnosis=time-limit task=hw3.1
// The stride is a product of 32 bits: with 2^32 threads it is 0, and the loop never ends.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    const unsigned stride = gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += stride)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
