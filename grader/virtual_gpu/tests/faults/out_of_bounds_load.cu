// expect: out-of-bounds at "one before the start"
#include <cuda_runtime.h>
__global__ void shift(const int *in, int *out)
{
    int i = threadIdx.x;
    out[i] = in[i - 1]; // one before the start
}
int main()
{
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    shift<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
