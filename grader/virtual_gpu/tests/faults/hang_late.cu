// expect: hang at "never ends"
// environment: VGPU_LAUNCH_S=0.5
#include <cuda_runtime.h>
__global__ void late(int *data)
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
    late<<<1, 1>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
