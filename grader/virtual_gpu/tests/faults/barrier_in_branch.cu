// expect: barrier at "half of the warp"
#include <cuda_runtime.h>
__global__ void half(int *out)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;
    if (t < 16) {
        __syncthreads(); // half of the warp
        out[t] = tile[t];
    } else {
        out[t] = -tile[t];
    }
}
int main()
{
    int *out;
    cudaMalloc(&out, 128);
    half<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
