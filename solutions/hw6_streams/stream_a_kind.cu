// Rung: a stream for each kind of work, and events. The rung before has two chunks under way for
// three stages. Here copies in, kernels and copies out have a stream each, so that every engine has
// its own queue, and up to four chunks are under way. The order within a chunk is no longer that of
// a stream: three arrows a chunk say it, the third one that its buffer is empty again.
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
// What comes later in `after` waits for what is in `before` so far.
static cudaError_t join(cudaStream_t before, cudaStream_t after, cudaEvent_t event)
{
    cudaError_t status = cudaEventRecord(event, before);
    return status == cudaSuccess ? cudaStreamWaitEvent(after, event, 0) : status;
}

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    enum { INTO, KERNELS, OUT_OF, KINDS };
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[KINDS] = {};
    cudaEvent_t next = NULL, emptied[CHUNK_BUFFERS] = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (cudaEvent_t &event : emptied)
        CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&next, cudaEventDisableTiming));
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        cudaEvent_t empty = emptied[i % CHUNK_BUFFERS];

        // Waits for nothing as long as the event has not been recorded: the first time round.
        CUDA_TRY(cudaStreamWaitEvent(streams[INTO], empty, 0));
        CUDA_TRY(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, streams[INTO]));
        CUDA_TRY(join(streams[INTO], streams[KERNELS], next));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, streams[KERNELS]>>>(
            buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(join(streams[KERNELS], streams[OUT_OF], next));
        CUDA_TRY(
            cudaMemcpyAsync(out + first, buffer, bytes, cudaMemcpyDeviceToHost, streams[OUT_OF]));
        CUDA_TRY(cudaEventRecord(empty, streams[OUT_OF]));
    }
    CUDA_TRY(cudaStreamSynchronize(streams[OUT_OF])); // the last copy out waits for all before it
done:
    for (cudaEvent_t event : emptied)
        if (event)
            cudaEventDestroy(event);
    if (next)
        cudaEventDestroy(next);
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
