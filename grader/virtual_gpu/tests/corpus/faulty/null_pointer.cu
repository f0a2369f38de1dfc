// finding=null-pointer line=9
// An optional output is not asked for.
#include <cuda_runtime.h>

__global__ void minimum(const int *in, int *least, int *where)
{
    if (threadIdx.x == 0) {
        *least = in[0];
        *where = 0;
    }
}

int main()
{
    int *in, *least;
    cudaMalloc(&in, 4);
    cudaMalloc(&least, 4);
    cudaMemset(in, 0, 4);
    minimum<<<1, 32>>>(in, least, nullptr);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(least);
}
