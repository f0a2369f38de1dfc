// finding=stream-race line=0
// Both results come back into the same pinned buffer.
#include <cuda_runtime.h>

int main()
{
    enum { BYTES = 4096 };
    char *device, *host;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMalloc(&device, 2 * BYTES);
    cudaMallocHost(&host, BYTES);
    cudaMemset(device, 1, 2 * BYTES);
    cudaDeviceSynchronize();
    for (int round = 0; round < 3; round++) {
        cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, a);
        cudaMemcpyAsync(host, device + BYTES, BYTES, cudaMemcpyDeviceToHost, b);
        cudaStreamSynchronize(a);
        cudaStreamSynchronize(b);
    }
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(device);
    cudaFreeHost(host);
}
