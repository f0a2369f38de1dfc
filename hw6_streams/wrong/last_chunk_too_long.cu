// gpu=not checked (whether a copy beyond pinned memory is refused is for the driver to say) virtual=CUDA ERROR diagnosis=copy-direction task=hw6.1
// Every chunk has the length of the first, also the last one, which is shorter.
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
    for (size_t i = 0; i * size < shape.n; i++) {
        const size_t first = i * size, count = size;
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        cudaStream_t stream = streams[i % CHUNK_BUFFERS];
        CUDA_TRY(cudaMemcpyAsync(
            buffer, in + first, count * sizeof *in, cudaMemcpyHostToDevice, stream));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, stream>>>(
            buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(
            out + first, buffer, count * sizeof *in, cudaMemcpyDeviceToHost, stream));
    }
    for (cudaStream_t stream : streams)
        CUDA_TRY(cudaStreamSynchronize(stream));
done:
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    return status;
}
