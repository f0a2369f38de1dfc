// finding=launch line=0
// All blocks of a cooperative launch must be resident at once.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void step(int *out)
{
    out[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();
}

int main()
{
    int *out;
    cudaMalloc(&out, 100000 * sizeof(int));
    void *arguments[] = {&out};
    cudaLaunchCooperativeKernel((const void *)step, dim3(100000), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(out);
}
