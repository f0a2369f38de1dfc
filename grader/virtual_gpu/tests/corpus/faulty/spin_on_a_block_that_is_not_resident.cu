// finding=deadlock line=12
// A barrier of the whole grid, made by hand, in a grid that does not fit on the device.
#include <cuda_runtime.h>

__global__ void two_steps(unsigned *arrived, int *out)
{
    out[blockIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned *)arrived < gridDim.x)
            ;
    }
    __syncthreads();
}

int main()
{
    const int blocks = 2000;
    unsigned *arrived;
    int *out;
    cudaMalloc(&arrived, sizeof(unsigned));
    cudaMalloc(&out, blocks * sizeof(int));
    cudaMemset(arrived, 0, sizeof(unsigned));
    two_steps<<<blocks, 1024>>>(arrived, out);
    cudaDeviceSynchronize();
    cudaFree(arrived);
    cudaFree(out);
}
