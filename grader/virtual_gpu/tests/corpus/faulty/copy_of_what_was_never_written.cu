// finding=uninitialised-copy line=0
// The kernel was forgotten.
#include <cuda_runtime.h>

int main()
{
    int values[100], *out;
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(out);
}
