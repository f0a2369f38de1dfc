// finding=copy line=0
// The result is fetched after its memory was given back.
#include <cuda_runtime.h>

int main()
{
    int values[10], *out;
    cudaMalloc(&out, sizeof values);
    cudaMemset(out, 0, sizeof values);
    cudaFree(out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
}
