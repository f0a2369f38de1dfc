// finding=out-of-bounds line=10
// An array of a thread has room for eight.
#include <cuda_runtime.h>

__global__ void collect(const int *in, int *out, int n)
{
    int kept[8], count = 0;
    for (int i = 0; i < n; i++)
        if (in[i] % 2 == 0)
            kept[count++] = in[i];
    for (int i = 0; i < count && i < 8; i++)
        out[8 * threadIdx.x + i] = kept[i] + (int)threadIdx.x;
}

int main()
{
    int values[40], *in, *out;
    for (int i = 0; i < 40; i++)
        values[i] = 2 * i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, 32 * 8 * sizeof(int));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    collect<<<1, 32>>>(in, out, 40);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
