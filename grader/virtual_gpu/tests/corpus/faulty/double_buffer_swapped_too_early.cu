// finding=shared-race line=12 other=13
// The buffers are exchanged without a barrier.
#include <cuda_runtime.h>

__global__ void scan(const int *in, int *out)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    const int t = threadIdx.x;
    from[t] = in[t];
    __syncthreads();
    to[t] = from[t] + (t >= 1 ? from[t - 1] : 0);
    out[t] = to[t] + (t >= 2 ? to[t - 2] : 0);
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    scan<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
