// finding=stream-race line=8 other=0
// The kernel does not wait for the copy in the other stream: cudaStreamWaitEvent is missing.
#include <cuda_runtime.h>

__global__ void scale_kernel(const float *in, float *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2.0f * in[i];
}

int main()
{
    enum { N = 1024 };
    float *host, *in, *out;
    cudaStream_t copying, computing;
    cudaStreamCreate(&copying);
    cudaStreamCreate(&computing);
    cudaMallocHost(&host, N * sizeof(float));
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc(&out, N * sizeof(float));
    cudaMemset(in, 0, N * sizeof(float));
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    cudaMemcpyAsync(in, host, N * sizeof(float), cudaMemcpyHostToDevice, copying);
    scale_kernel<<<N / 256, 256, 0, computing>>>(in, out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(copying);
    cudaStreamDestroy(computing);
    cudaFree(in);
    cudaFree(out);
    cudaFreeHost(host);
}
