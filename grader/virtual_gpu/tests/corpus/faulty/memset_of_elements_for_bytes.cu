// finding=uninitialised line=7
// cudaMemset counts bytes: a quarter of the array is clear.
#include <cuda_runtime.h>

__global__ void increment(int *cells)
{
    cells[threadIdx.x] += 1;
}

int main()
{
    int *cells;
    cudaMalloc(&cells, 64 * sizeof(int));
    cudaMemset(cells, 0, 64);
    increment<<<1, 64>>>(cells);
    cudaDeviceSynchronize();
    cudaFree(cells);
}
