// finding=free line=0
// cudaFreeHost is for what cudaMallocHost returned.
#include <cuda_runtime.h>

int main()
{
    int *out;
    cudaMalloc(&out, 100);
    cudaFreeHost(out);
    cudaFree(out);
}
