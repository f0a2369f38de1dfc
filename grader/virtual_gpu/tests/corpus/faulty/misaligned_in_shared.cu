// finding=misaligned line=12
// A double behind five chars.
#include <cuda_runtime.h>

__global__ void carve(double *out)
{
    extern __shared__ __align__(8) char arena[];
    char *letters = arena;
    double *numbers = (double *)(arena + 5);
    if (threadIdx.x < 5)
        letters[threadIdx.x] = 'a';
    numbers[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = numbers[threadIdx.x] + letters[threadIdx.x % 5];
}

int main()
{
    double *out;
    cudaMalloc(&out, 32 * sizeof(double));
    carve<<<1, 32, 5 + 32 * sizeof(double)>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
