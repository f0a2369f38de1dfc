// Rung: chunks through pageable memory, as if the arrays came from malloc. Each chunk goes through
// a buffer of the heap, both ways. The copy engines cannot reach such memory: the driver stages it
// through pinned memory of its own, a piece at a time, and a copy to it is over when the call
// returns. So there is nothing asynchronous in here, whatever the calls are named.
#include "cuda_try.h"

#include <stdlib.h>
#include <string.h>

constexpr unsigned THREADS = 256; // of a block, in every launch

// Given: the kernel, in every rung.
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

// SOLVED(hw6.1)
cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t stream = NULL;
    const size_t size = ceil_div(shape.n, shape.chunks);
    unsigned *pageable = (unsigned *)malloc(size * sizeof *pageable + 1); // also of 0 words

    CUDA_TRY(pageable ? cudaSuccess : cudaErrorMemoryAllocation);
    CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0; first < shape.n; first += size) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;

        memcpy(pageable, in + first, bytes);
        CUDA_TRY(cudaMemcpyAsync(buffers, pageable, bytes, cudaMemcpyHostToDevice, stream));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, stream>>>(
            buffers, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(pageable, buffers, bytes, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(cudaStreamSynchronize(stream));
        memcpy(out + first, pageable, bytes);
    }
done:
    if (stream)
        cudaStreamDestroy(stream);
    free(pageable);
    return status;
}
// END(hw6.1)

// ---- the other tasks are not this rung's --------------------------------------------

cudaError_t run_chains(struct chain_data, struct chain_shape, cudaStream_t)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t run_diamond(const struct diamond *, const cudaStream_t[3])
{
    return cudaErrorNotYetImplemented;
}

cudaError_t keep_journal(
    const struct stage *, size_t, struct fetching, struct journal *, const cudaStream_t[2])
{
    return cudaErrorNotYetImplemented;
}

cudaError_t run_chains_by_hand(struct chain_data, struct chain_shape, cudaStream_t)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t stir_everywhere(const unsigned *, unsigned *, size_t, unsigned)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t run_urgently(struct stage, struct stage)
{
    return cudaErrorNotYetImplemented;
}
