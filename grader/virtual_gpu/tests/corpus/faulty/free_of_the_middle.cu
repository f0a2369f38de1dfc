// finding=free line=0
// The pointer has moved on since cudaMalloc.
#include <cuda_runtime.h>

int main()
{
    int *out;
    cudaMalloc(&out, 100 * sizeof(int));
    cudaMemset(out, 0, 100 * sizeof(int));
    int *at = out + 10;
    cudaFree(at);
    cudaFree(out);
}
