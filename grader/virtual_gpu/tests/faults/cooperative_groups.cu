// expect: uninitialised at "read"
// The file is called what a header of the toolkit is called, and is the student's all the same.
#include <cuda_runtime.h>

__global__ void kernel(float *out)
{
    __shared__ float tile[64];
    unsigned t = threadIdx.x;
    if (t < 16)
        tile[t] = (float)t;
    __syncthreads();
    out[t] = tile[t]; // read
}

int main(void)
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    kernel<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
