// finding=shared-race line=15 other=13
// A barrier in shared memory has to be there before others come to it.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void mirror(const int *in, int *out)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ int tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    // Here __syncthreads() is missing.
    stored.arrive_and_wait();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 1, 256);
    mirror<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
