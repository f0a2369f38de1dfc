// finding=copy line=0
// One element more than there is.
#include <cuda_runtime.h>

int main()
{
    int values[101] = {0}, *out;
    cudaMalloc(&out, 100 * sizeof(int));
    cudaMemcpy(out, values, sizeof values, cudaMemcpyHostToDevice);
    cudaFree(out);
}
