// expect: null-pointer at "never allocated"
#include <cuda_runtime.h>
__global__ void clear(int *data)
{
    data[threadIdx.x] = 0; // never allocated
}
int main()
{
    clear<<<1, 32>>>(nullptr);
    cudaDeviceSynchronize();
}
