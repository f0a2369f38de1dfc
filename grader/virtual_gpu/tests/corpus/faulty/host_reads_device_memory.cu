// finding=host-access line=0
// The host looks at the result without copying it.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void answer(int *out)
{
    *out = 42;
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof(int));
    answer<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(out);
}
