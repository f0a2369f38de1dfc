// finding=shared-race line=12 other=12
// Neighbouring bytes are separate; the neighbour's byte is not.
#include <cuda_runtime.h>

__global__ void spread(char *out)
{
    __shared__ char tile[64];
    const int t = threadIdx.x;
    tile[t] = (char)t;
    __syncthreads();
    if (t % 3 == 0)
        tile[t] = tile[(t + 31) % 64];
    __syncthreads();
    out[t] = tile[t];
}

int main()
{
    char *out;
    cudaMalloc(&out, 64);
    spread<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
