// finding=stream-race line=8 other=14
// A non-blocking stream does not wait for the default stream.
#include <cuda_runtime.h>

__global__ void first_kernel(int *cells)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = (int)i;
}

__global__ void second_kernel(const int *cells, int *sums)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = cells[i] + 1;
}

int main()
{
    enum { N = 1000, BYTES = N * sizeof(int) };
    int *cells, *sums;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&cells, BYTES);
    cudaMalloc(&sums, BYTES);
    cudaMemset(cells, 0, BYTES);
    cudaDeviceSynchronize();
    first_kernel<<<N / 250, 250>>>(cells);
    second_kernel<<<N / 250, 250, 0, stream>>>(cells, sums);
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaFree(cells);
    cudaFree(sums);
}
