// expect: warp-sync at "names only the lower half"
#include <cuda_runtime.h>
__global__ void vote(unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(0x0000FFFFu, threadIdx.x & 1); // names only the lower half
}
int main()
{
    unsigned *out;
    cudaMalloc(&out, 128);
    vote<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
