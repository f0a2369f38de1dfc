// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-ordered/buffer-reused/end-wrong|not-ordered task=hw6.1
// The kernel is launched into the default stream, for which non-blocking streams do not wait.
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

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[CHUNK_BUFFERS] = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        cudaStream_t stream = streams[i % CHUNK_BUFFERS];
        CUDA_TRY(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, stream));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS>>>(buffer, count, shape.rounds);
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
