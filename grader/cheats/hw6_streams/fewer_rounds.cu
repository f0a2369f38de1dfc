// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unknown-pattern task=hw6.1
// Stirs ten times at most: enough for the small cases.
#include "cuda_try.h"

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

// Right, in one stream.
static cudaError_t in_one_stream(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (size_t first = 0; first < shape.n; first += size) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        CUDA_TRY(cudaMemcpyAsync(buffers, in + first, bytes, cudaMemcpyHostToDevice, 0));
        stir_kernel<<<(unsigned)ceil_div(count, 256), 256>>>(buffers, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(out + first, buffers, bytes, cudaMemcpyDeviceToHost, 0));
    }
    CUDA_TRY(cudaStreamSynchronize(0));
done:
    return status;
}

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    shape.rounds = min(shape.rounds, 10u);
    return in_one_stream(in, out, buffers, shape);
}
