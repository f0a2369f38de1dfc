// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw6.4
// Captures and instantiates the graph again for every row.
#include "cuda_try.h"

constexpr unsigned THREADS = 256;

static __global__ void link_kernel(unsigned *words, size_t n, const unsigned *addend, unsigned k)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (*addend ^ k);
}

static cudaError_t capture_links(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (status != cudaSuccess)
        return status;
    for (unsigned k = 0; k < shape.links; k++)
        link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
            data.device, shape.n, data.device + shape.n, k);
    return cudaStreamEndCapture(stream, graph);
}

cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    const size_t bytes = shape.n * sizeof *data.in;

    if (shape.n == 0)
        return cudaSuccess;
    for (unsigned r = 0; r < shape.rows; r++) {
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(data.device + shape.n, data.addends + r, sizeof *data.addends,
            cudaMemcpyHostToDevice, stream));
        CUDA_TRY(capture_links(data, shape, stream, &graph));
        CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
        CUDA_TRY(cudaGraphLaunch(executable, stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(cudaStreamSynchronize(stream));
        CUDA_TRY(cudaGraphExecDestroy(executable));
        executable = NULL;
        CUDA_TRY(cudaGraphDestroy(graph));
        graph = NULL;
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}
