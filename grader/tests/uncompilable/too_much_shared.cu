// An array of 64 KB in shared memory. task= line= says=more than 48 KB
static __global__ void add_kernel(const float *a, float *sum)
{
    // TODO(hw1.1): one element in each thread.
    __shared__ float all[16384];
    all[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    sum[threadIdx.x] = all[16383 - threadIdx.x];
    // END(hw1.1)
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    add_kernel<<<1, 256>>>(a, sum);
    return cudaGetLastError();
}
