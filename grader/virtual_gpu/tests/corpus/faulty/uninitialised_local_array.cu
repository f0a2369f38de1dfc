// finding=uninitialised line=11
// The count of the first kind is never set to zero.
#include <cuda_runtime.h>

__global__ void classify(const int *in, int *out, int n)
{
    int counts[4];
    for (int k = 1; k < 4; k++)
        counts[k] = 0;
    for (int i = 0; i < n; i++)
        counts[in[i] % 4]++;
    out[threadIdx.x] = counts[in[threadIdx.x] % 4];
}

int main()
{
    int values[32], *in, *out;
    for (int i = 0; i < 32; i++)
        values[i] = i * i + i / 5;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    classify<<<1, 32>>>(in, out, 32);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
