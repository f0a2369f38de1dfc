// expect: global-race at "in place"
#include <cuda_runtime.h>
__global__ void smooth(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        data[i] = (data[i - 1] + data[i] + data[i + 1]) / 3.0f; // in place
}
int main()
{
    float *data;
    cudaMalloc(&data, 4096);
    cudaMemset(data, 0, 4096);
    float ramp[1024];
    for (int i = 0; i < 1024; i++)
        ramp[i] = (float)(i * i % 97);
    cudaMemcpy(data, ramp, sizeof ramp, cudaMemcpyHostToDevice);
    smooth<<<8, 128>>>(data, 1024);
    cudaDeviceSynchronize();
    cudaFree(data);
}
