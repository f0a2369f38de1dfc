// finding=shared-race line=9 other=9
// Every warp announces its own number in the same place.
#include <cuda_runtime.h>

__global__ void elect(int *out)
{
    __shared__ int leader;
    if (threadIdx.x % 32 == 0)
        leader = threadIdx.x / 32;
    __syncthreads();
    out[threadIdx.x] = leader;
}

int main()
{
    int *out;
    cudaMalloc(&out, 512);
    elect<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
