// expect: global-race at "reads the others" and "every thread publishes"
#include <cuda_runtime.h>
__global__ void gather(const int *in, int *slots, int *out, unsigned *ticket)
{
    __shared__ bool last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    slots[i] = 2 * in[i]; // every thread publishes
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int k = threadIdx.x; k < (int)(gridDim.x * blockDim.x); k += blockDim.x)
            atomicAdd(out, slots[k]); // reads the others
}
int main()
{
    int *in, *slots, *out;
    unsigned *ticket;
    cudaMalloc(&in, 4096);
    cudaMalloc(&slots, 4096);
    cudaMalloc(&out, 4);
    cudaMalloc(&ticket, 4);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4);
    cudaMemset(ticket, 0, 4);
    gather<<<8, 128>>>(in, slots, out, ticket);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(slots);
    cudaFree(out);
    cudaFree(ticket);
}
