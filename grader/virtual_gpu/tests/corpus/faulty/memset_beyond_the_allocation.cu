// finding=copy line=0
// The size is that of the wrong array.
#include <cuda_runtime.h>

int main()
{
    int *out;
    cudaMalloc(&out, 100 * sizeof(int));
    cudaMemset(out, 0, 200 * sizeof(int));
    cudaFree(out);
}
