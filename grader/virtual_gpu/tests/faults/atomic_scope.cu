// expect: atomic-scope at "adds for the device"
#include <cuda_runtime.h>
__global__ void count(unsigned *counter)
{
    atomicAdd(counter, 1u); // adds for the device
}
int main()
{
    unsigned *counter;
    cudaMallocManaged(&counter, sizeof *counter);
    *counter = 0;
    count<<<1, 32>>>(counter);
    __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
    cudaDeviceSynchronize();
    cudaFree(counter);
}
