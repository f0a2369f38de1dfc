// Rung: a graph, made again for every row. In the rung before, the host launches a thousand kernels
// a row. One launch of a graph brings them all; but to capture and instantiate it costs about as
// much as those launches did, and here every row pays for that.
#include "cuda_try.h"

constexpr unsigned THREADS = 256; // of a block, in every launch

// Given: a link of the chain, in every rung.
static __global__ void link_kernel(unsigned *words, size_t n, const unsigned *addend, unsigned k)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (*addend ^ k);
}

// SOLVED(hw6.4)
static cudaError_t capture_links(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (status != cudaSuccess)
        return status;
    for (unsigned k = 0; k < shape.links; k++)
        link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
            data.device, shape.n, data.device + shape.n, k);
    status = cudaGetLastError();
    // correctness: also after an error, or the stream would go on capturing
    cudaError_t ended = cudaStreamEndCapture(stream, graph);
    return status == cudaSuccess ? ended : status;
}

// What is made here may go when it has been launched: the launch keeps what it needs.
static cudaError_t run_row(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;

    CUDA_TRY(capture_links(data, shape, stream, &graph));
    CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CUDA_TRY(cudaGraphLaunch(executable, stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
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
        CUDA_TRY(run_row(data, shape, stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    return status;
}
// END(hw6.4)

// ---- the other tasks are not this rung's --------------------------------------------

cudaError_t pipeline(const unsigned *, unsigned *, unsigned *, struct pipeline_shape)
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
