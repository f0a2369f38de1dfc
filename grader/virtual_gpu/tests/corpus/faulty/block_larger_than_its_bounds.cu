// finding=launch line=0
// __launch_bounds__ promised the compiler 128 threads.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) fill(int *out)
{
    out[threadIdx.x] = 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 1024);
    fill<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
