// Declared, called, defined nowhere. task= line= says=it is defined nowhere in this file
__device__ float plus(float x, float y);

static __global__ void add_kernel(const float *a, const float *b, float *sum)
{
    sum[threadIdx.x] = plus(a[threadIdx.x], b[threadIdx.x]);
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    add_kernel<<<1, 256>>>(a, b, sum);
    return cudaGetLastError();
}
