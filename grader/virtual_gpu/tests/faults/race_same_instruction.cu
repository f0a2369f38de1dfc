// expect: shared-race at "all write one word"
#include <cuda_runtime.h>
__global__ void winner(int *out)
{
    __shared__ int chosen;
    chosen = threadIdx.x; // all write one word
    __syncthreads();
    out[threadIdx.x] = chosen;
}
int main()
{
    int *out;
    cudaMalloc(&out, 256);
    winner<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
