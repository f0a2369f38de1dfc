// Rung: two streams that wait for nothing but themselves. The rung before has a barrier at every
// kernel; here the kernel is in its chunk's stream, and the streams are non-blocking. Two chunks
// are under way, but there are three stages: with a chunk at two of them, the third is idle.
#include "cuda_try.h"

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
    cudaStream_t streams[2] = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        unsigned *buffer = buffers + i % 2 * size;
        cudaStream_t stream = streams[i % 2];

        CUDA_TRY(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, stream));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, stream>>>(
            buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(out + first, buffer, bytes, cudaMemcpyDeviceToHost, stream));
    }
    for (cudaStream_t stream : streams)
        CUDA_TRY(cudaStreamSynchronize(stream));
done:
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
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
