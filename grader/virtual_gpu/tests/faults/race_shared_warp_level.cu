// expect: shared-race at "no __syncwarp"
#include <cuda_runtime.h>
__global__ void reduce(const int *in, int *out)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncwarp();
    for (int step = 16; step > 0; step /= 2)
        if (t < step)
            tile[t] += tile[t + step]; // no __syncwarp
    if (t == 0)
        *out = tile[0];
}
int main()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 4);
    cudaMemset(in, 0, 128);
    int one[32];
    for (int i = 0; i < 32; i++)
        one[i] = i + 1;
    cudaMemcpy(in, one, sizeof one, cudaMemcpyHostToDevice);
    reduce<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
