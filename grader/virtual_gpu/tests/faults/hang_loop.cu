// expect: hang at "never ends"
// environment: VGPU_BUDGET=3000000
#include <cuda_runtime.h>
__global__ void spin(int *data)
{
    int x = data[0];
    while (x != -1) // never ends
        x = (x * 5 + 3) & 0xFFFF;
    data[0] = x;
}
int main()
{
    int *data;
    cudaMalloc(&data, 4);
    cudaMemset(data, 0, 4);
    spin<<<1, 1>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
