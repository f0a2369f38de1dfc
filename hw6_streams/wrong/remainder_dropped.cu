// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=remainder-dropped task=hw6.1
// The size of a chunk is rounded down, as in (size / chunks) * i: what is left over is lost.
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
    const size_t size = shape.n / shape.chunks, bytes = size * sizeof *in;

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (unsigned i = 0; i < shape.chunks && size > 0; i++) {
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        cudaStream_t stream = streams[i % CHUNK_BUFFERS];
        CUDA_TRY(cudaMemcpyAsync(buffer, in + i * size, bytes, cudaMemcpyHostToDevice, stream));
        stir_kernel<<<(unsigned)ceil_div(size, THREADS), THREADS, 0, stream>>>(
            buffer, size, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(out + i * size, buffer, bytes, cudaMemcpyDeviceToHost, stream));
    }
    for (cudaStream_t stream : streams)
        CUDA_TRY(cudaStreamSynchronize(stream));
done:
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    return status;
}
