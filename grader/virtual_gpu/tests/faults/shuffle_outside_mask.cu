// expect: warp-sync at "reads a lane that the mask leaves out"
#include <cuda_runtime.h>
__global__ void peek(int *out)
{
    int t = threadIdx.x, value = t;
    if (t < 16)
        value = __shfl_sync(0x0000FFFFu, value, 20); // reads a lane that the mask leaves out
    out[t] = value;
}
int main()
{
    int *out;
    cudaMalloc(&out, 128);
    peek<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
