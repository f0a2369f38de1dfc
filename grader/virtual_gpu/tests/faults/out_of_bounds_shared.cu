// expect: out-of-bounds at "one too many"
#include <cuda_runtime.h>
__global__ void halo(int *out)
{
    extern __shared__ int tile[];
    tile[threadIdx.x + 1] = threadIdx.x; // one too many
    __syncthreads();
    out[threadIdx.x] = threadIdx.x > 0 ? tile[threadIdx.x] : 0;
}
int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    halo<<<1, 64, 64 * sizeof(int)>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
