// finding=global-race line=8 other=16
// Thread 0 takes the ticket while other warps of its block still write.
#include <cuda_runtime.h>

__global__ void sum_all(int *partial, unsigned *done, int *out)
{
    __shared__ bool is_last;
    partial[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    __threadfence();
    if (threadIdx.x == 0)
        is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (is_last) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += partial[b * 64 + threadIdx.x];
        out[threadIdx.x] = sum;
    }
}

int main()
{
    int *partial, *out;
    unsigned *done;
    cudaMalloc(&partial, 1024);
    cudaMalloc(&out, 256);
    cudaMalloc(&done, 4);
    cudaMemset(done, 0, 4);
    sum_all<<<4, 64>>>(partial, done, out);
    cudaDeviceSynchronize();
    cudaFree(partial);
    cudaFree(out);
    cudaFree(done);
}
