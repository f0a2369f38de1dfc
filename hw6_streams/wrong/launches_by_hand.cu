// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-graph task=hw6.7
// By hand, but without a graph: a launch for every link of every row.
#include "cuda_try.h"

constexpr unsigned THREADS = 256;

static __global__ void link_kernel(unsigned *words, size_t n, const unsigned *addend, unsigned k)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (*addend ^ k);
}

cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const size_t bytes = shape.n * sizeof *data.in;

    for (unsigned r = 0; r < shape.rows && shape.n > 0; r++) {
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(data.device + shape.n, data.addends + r, sizeof *data.addends,
            cudaMemcpyHostToDevice, stream));
        for (unsigned k = 0; k < shape.links; k++)
            link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
                data.device, shape.n, data.device + shape.n, k);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    return status;
}
