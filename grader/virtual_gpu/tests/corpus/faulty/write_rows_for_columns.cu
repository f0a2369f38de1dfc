// finding=out-of-bounds line=9
// The matrix has 20 rows of 30; the index takes it for 30 rows of 30.
#include <cuda_runtime.h>

__global__ void transpose(const int *in, int *out, int rows, int columns)
{
    const int x = threadIdx.x, y = threadIdx.y;
    if (x < columns && y < rows)
        out[x * columns + y] = in[y * columns + x];
}

int main()
{
    const int bytes = 20 * 30 * sizeof(int);
    int *in, *out;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(in, 0, bytes);
    transpose<<<1, dim3(32, 32)>>>(in, out, 20, 30);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
