// expect: barrier at "second place"
#include <cuda_runtime.h>
__global__ void sides(int *out)
{
    int t = threadIdx.x;
    if (t < 32) {
        out[t] = 1;
        __syncthreads(); // first place
        out[t] += 2;
    } else {
        out[t] = 3;
        __syncthreads(); // second place
        out[t] += 4;
    }
}
int main()
{
    int *out;
    cudaMalloc(&out, 256);
    sides<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
