// finding=global-race line=12 other=17
// A relaxed store publishes nothing but itself.
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void send(int *message, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *message = 42;
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        *out = *message;
    }
}

int main()
{
    int *message, *flag, *out;
    cudaMalloc(&message, 4);
    cudaMalloc(&flag, 4);
    cudaMalloc(&out, 4);
    cudaMemset(message, 0, 4);
    cudaMemset(flag, 0, 4);
    send<<<2, 32>>>(message, flag, out);
    cudaDeviceSynchronize();
    cudaFree(message);
    cudaFree(flag);
    cudaFree(out);
}
