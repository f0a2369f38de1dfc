// gpu=not checked (needs two GPUs) virtual=WRONG ANSWER diagnosis=device-idle task=hw6.5
// Every stream is made on the first device: it gets all the launches, or refuses them.
#include "cuda_try.h"

#include <stdlib.h>

constexpr unsigned THREADS = 256;
enum { DEVICES_MAX = 64 };

static __global__ void stir_kernel(unsigned *words, size_t n, unsigned rounds)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned word = words[i];
    for (unsigned round = 0; round < rounds; round++)
        word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
    words[i] = word;
}

static cudaError_t reach(int device, int peer)
{
    cudaError_t status = cudaSuccess;
    int can = 0;

    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaDeviceCanAccessPeer(&can, device, peer));
    if (!can)
        return cudaSuccess;
    status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
        status = cudaSuccess;
    }
done:
    return status;
}

cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[DEVICES_MAX] = {};
    unsigned *words[DEVICES_MAX] = {};
    int home = 0, devices = 0;

    CUDA_TRY(cudaGetDevice(&home));
    CUDA_TRY(cudaGetDeviceCount(&devices));
    for (int d = 0; d < devices; d++) {
        const size_t first = n / devices * d + min((size_t)d, n % devices);
        const size_t count = n / devices + ((size_t)d < n % devices);
        const size_t bytes = count * sizeof *in;
        if (count == 0)
            continue;
        if (d != home) {
            CUDA_TRY(reach(home, d));
            CUDA_TRY(reach(d, home));
        }
        CUDA_TRY(cudaSetDevice(home));
        CUDA_TRY(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
        CUDA_TRY(cudaSetDevice(d));
        CUDA_TRY(cudaMalloc(&words[d], bytes));
        CUDA_TRY(cudaMemcpyPeerAsync(words[d], d, in + first, home, bytes, streams[d]));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, streams[d]>>>(
            words[d], count, rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyPeerAsync(out + first, home, words[d], d, bytes, streams[d]));
    }
    for (int d = 0; d < devices; d++)
        if (streams[d])
            CUDA_TRY(cudaStreamSynchronize(streams[d]));
done:
    for (int d = 0; d < devices; d++) {
        if (streams[d])
            cudaStreamDestroy(streams[d]);
        cudaFree(words[d]);
    }
    cudaSetDevice(home);
    return status;
}
