// finding=shared-race line=10 other=13
// A thread waits for its own copies; those of others need a barrier.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = tile[63 - t];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    reverse<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
