// finding=out-of-bounds line=9
// The launch gives one element a thread, the kernel wants two.
#include <cuda_runtime.h>

__global__ void reverse(int *data, int n)
{
    extern __shared__ int tile[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        tile[i] = data[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = tile[n - 1 - i];
}

int main()
{
    int *data;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    reverse<<<1, 64, 64 * sizeof(int)>>>(data, 128);
    cudaDeviceSynchronize();
    cudaFree(data);
}
