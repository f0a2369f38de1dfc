// finding=copy line=0
// The target comes first, and the direction says otherwise.
#include <cuda_runtime.h>

int main()
{
    int values[100], *out;
    cudaMalloc(&out, sizeof values);
    cudaMemset(out, 0, sizeof values);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyHostToDevice);
    cudaFree(out);
}
