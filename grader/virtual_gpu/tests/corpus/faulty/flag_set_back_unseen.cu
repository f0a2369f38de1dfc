// finding=global-race line=17 other=15
// Who sets a flag back must have seen it: a barrier of the block is none for others.
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void send(int *message, int *flag)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        message[0] = 42;
        // To whom?
        ready.store(1, cuda::memory_order_release);
    } else {
        *flag = 2;
    }
}

int main()
{
    int *message, *flag;
    cudaMalloc(&message, 4);
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    send<<<2, 32>>>(message, flag);
    cudaDeviceSynchronize();
    cudaFree(message);
    cudaFree(flag);
}
