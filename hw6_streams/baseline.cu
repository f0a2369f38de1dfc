// The versions that the timed tasks are to beat. Right, and what one writes first. Below
// them stand two functions for the grader alone: it times what cannot be hidden, and makes
// the answer of a large problem.
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

static cudaError_t stir(unsigned *words, size_t n, unsigned rounds, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    stir_kernel<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(words, n, rounds);
    return cudaGetLastError();
}

// ---- hw6.1: one stream, so one thing after the other ---------------------------------

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t stream = NULL;
    const size_t size = ceil_div(shape.n, shape.chunks);

    CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0; first < shape.n; first += size) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        CUDA_TRY(cudaMemcpyAsync(buffers, in + first, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(stir(buffers, count, shape.rounds, stream));
        CUDA_TRY(cudaMemcpyAsync(out + first, buffers, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (stream)
        cudaStreamDestroy(stream);
    return status;
}

// ---- hw6.4: a launch for every kernel ------------------------------------------------

static __global__ void link_kernel(unsigned *words, size_t n, const unsigned *addend, unsigned k)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (*addend ^ k);
}

cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const size_t bytes = shape.n * sizeof *data.in;
    unsigned *addend = data.device + shape.n;

    for (unsigned r = 0; r < shape.rows && shape.n > 0; r++) {
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(
            addend, data.addends + r, sizeof *addend, cudaMemcpyHostToDevice, stream));
        for (unsigned k = 0; k < shape.links; k++)
            link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
                data.device, shape.n, addend, k);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    return status;
}

// ---- for the grader ------------------------------------------------------------------

// Stirs n words of device memory, in the default stream.
extern "C" cudaError_t stir_alone(unsigned *words, size_t n, unsigned rounds)
{
    return stir(words, n, rounds, 0);
}

// All the parts of hw6.1 at once, none waiting for another: the least that it can take.
extern "C" cudaError_t parts_at_once(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[3] = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0; first < shape.n; first += size) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        CUDA_TRY(cudaMemcpyAsync(buffers, in + first, bytes, cudaMemcpyHostToDevice, streams[0]));
        CUDA_TRY(stir(buffers + size, count, shape.rounds, streams[1]));
        CUDA_TRY(cudaMemcpyAsync(
            out + first, buffers + 2 * size, bytes, cudaMemcpyDeviceToHost, streams[2]));
    }
    for (cudaStream_t stream : streams)
        CUDA_TRY(cudaStreamSynchronize(stream));
done:
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    return status;
}
