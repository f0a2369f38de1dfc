// gpu=TOO SLOW virtual=WRONG ANSWER diagnosis=far-below-the-gate|wrong-when-timed task=hw6.1
// Where time is taken, which no case has so many rounds for, the host stirs, and kernels in a fine
// pipeline pass on what it has made: no clock of a virtual GPU notices what a CPU does.
#include "cuda_try.h"

static __global__ void stir(unsigned *words, size_t n, unsigned rounds)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    for (unsigned round = 0; i < n && round < rounds; round++)
        words[i] = (words[i] ^ words[i] >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
}

static cudaError_t pass_through(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[CHUNK_BUFFERS] = {};
    const size_t size = ceil_div(shape.n, (size_t)shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        cudaStream_t stream = streams[i % CHUNK_BUFFERS];

        CUDA_TRY(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, stream));
        stir<<<(unsigned)ceil_div(count, (size_t)256), 256, 0, stream>>>(
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

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    unsigned *stirred = NULL;

    if (shape.n < 100000 || shape.rounds < 20)
        return pass_through(in, out, buffers, shape);
    CUDA_TRY(cudaMallocHost(&stirred, shape.n * sizeof *in));
    for (size_t i = 0; i < shape.n; i++) {
        unsigned word = in[i];
        for (unsigned round = 0; round < shape.rounds; round++)
            word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
        stirred[i] = word;
    }
    shape.rounds = 0;
    CUDA_TRY(pass_through(stirred, out, buffers, shape));
done:
    cudaFreeHost(stirred);
    return status;
}
