// finding=shared-race line=14 other=19
// Two buffers, and no barrier behind the reading: the copy of round k + 1 may overwrite what others
// still read for round k - 1, long before anybody waits for it.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void reverse(const int *in, int *out, int rounds)
{
    __shared__ int tile[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k <= rounds; k++) {
        if (k < rounds)
            __pipeline_memcpy_async(&tile[k % 2][t], &in[64 * k + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        if (k > 0)
            sum += tile[(k - 1) % 2][63 - t];
    }
    out[t] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 4 * 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 4 * 256);
    reverse<<<1, 64>>>(in, out, 4);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
