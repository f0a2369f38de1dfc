// expect: host-pointer at "lives on the host"
#include <cuda_runtime.h>
__global__ void twice(int *data)
{
    data[threadIdx.x] *= 2; // lives on the host
}
int main()
{
    static int data[32];
    twice<<<1, 32>>>(data);
    cudaDeviceSynchronize();
}
