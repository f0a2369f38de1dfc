// expect: warp-sync at "full mask in a branch"
#include <cuda_runtime.h>
__global__ void sum(const int *in, int *out, int n)
{
    int t = threadIdx.x, value = in[t];
    if (t < n) {
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xFFFFFFFFu, value, step); // full mask in a branch
        out[t] = value;
    } else {
        out[t] = -1;
    }
}
int main()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    sum<<<1, 32>>>(in, out, 20);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
