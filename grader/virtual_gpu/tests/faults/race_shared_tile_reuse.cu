// expect: shared-race at "next tile too early" and "still read"
#include <cuda_runtime.h>
__global__ void blur(const float *in, float *out, int tiles)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        tile[t] = in[64 * k + t]; // next tile too early
        __syncthreads();
        sum += tile[63 - t]; // still read
    }
    out[t] = sum;
}
int main()
{
    float *in, *out;
    cudaMalloc(&in, 64 * 8 * 4);
    cudaMalloc(&out, 64 * 4);
    cudaMemset(in, 0, 64 * 8 * 4);
    blur<<<1, 64>>>(in, out, 8);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
