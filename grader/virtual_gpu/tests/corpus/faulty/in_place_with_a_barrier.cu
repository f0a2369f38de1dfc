// finding=global-race line=11 other=9
// The barrier orders the threads of a block; its neighbour may have read the first cell or not.
#include <cuda_runtime.h>

__global__ void add_neighbour(int *cells, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        const int sum = cells[i] + cells[i + 1];
        __syncthreads();
        cells[i] = sum;
    }
}

int main()
{
    const int n = 4 * 64 + 1;
    int *cells;
    cudaMalloc(&cells, n * sizeof *cells);
    cudaMemset(cells, 1, n * sizeof *cells);
    add_neighbour<<<4, 64>>>(cells, n);
    cudaDeviceSynchronize();
    cudaFree(cells);
}
