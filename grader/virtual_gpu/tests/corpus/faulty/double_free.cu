// finding=free line=0
// The clean-up runs twice.
#include <cuda_runtime.h>

int main()
{
    int *out;
    cudaMalloc(&out, 100);
    cudaFree(out);
    cudaFree(out);
}
