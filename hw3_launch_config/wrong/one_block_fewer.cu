// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=done-again task=hw3.1
// The number of the last block is taken for the number of blocks: in each round the first block adds
// again what the last one has added.
static __global__ void add(const float *a, const float *b, float *sum, size_t first, size_t count)
{
    const size_t last = gridDim.x > 1 ? gridDim.x - 1 : 1;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += last * blockDim.x)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}
