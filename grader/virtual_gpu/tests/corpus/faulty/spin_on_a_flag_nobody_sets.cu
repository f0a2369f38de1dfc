// finding=deadlock line=12
// Block 0 sets the wrong flag.
#include <cuda_runtime.h>

__global__ void relay(volatile int *flags, int *out)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        flags[0] = 1;
    } else {
        while (flags[1] == 0)
            ;
        *out = 1;
    }
}

int main()
{
    int *flags, *out;
    cudaMalloc(&flags, 8);
    cudaMalloc(&out, 4);
    cudaMemset(flags, 0, 8);
    relay<<<2, 32>>>(flags, out);
    cudaDeviceSynchronize();
    cudaFree(flags);
    cudaFree(out);
}
