// finding=global-race line=9 other=16
// The ticket may be seen before the sums.
#include <cuda_runtime.h>

__global__ void sum_all(const int *in, int *partial, unsigned *done, int *out)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = in[blockIdx.x * 32];
        is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += partial[b];
        *out = sum;
    }
}

int main()
{
    int *in, *partial, *out;
    unsigned *done;
    cudaMalloc(&in, 1024);
    cudaMalloc(&partial, 32);
    cudaMalloc(&out, 4);
    cudaMalloc(&done, 4);
    cudaMemset(in, 1, 1024);
    cudaMemset(done, 0, 4);
    sum_all<<<8, 32>>>(in, partial, done, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(partial);
    cudaFree(out);
    cudaFree(done);
}
