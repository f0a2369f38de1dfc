// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=buffer-reused task=hw6.1
// A stream for each kind of work. Kernels wait for their copy in, and copies out for their kernel;
// but a copy in does not wait until its buffer is on the host.
#include "cuda_try.h"

constexpr unsigned THREADS = 256;

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

enum { IN, WORK, OUT, STREAMS };

static cudaError_t join(cudaStream_t before, cudaStream_t after)
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t event = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_TRY(cudaEventRecord(event, before));
    CUDA_TRY(cudaStreamWaitEvent(after, event, 0));
done:
    if (event)
        cudaEventDestroy(event);
    return status;
}

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[STREAMS] = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        CUDA_TRY(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, streams[IN]));
        CUDA_TRY(join(streams[IN], streams[WORK]));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, streams[WORK]>>>(
            buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(join(streams[WORK], streams[OUT]));
        CUDA_TRY(cudaMemcpyAsync(out + first, buffer, bytes, cudaMemcpyDeviceToHost, streams[OUT]));
    }
    CUDA_TRY(cudaStreamSynchronize(streams[OUT]));
done:
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    return status;
}
