// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=baked-in task=hw6.4
// The addend is an argument of the kernels: the graph keeps that of the first row.
#include "cuda_try.h"

constexpr unsigned THREADS = 256;

static __global__ void link_kernel(unsigned *words, size_t n, unsigned addend, unsigned k)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (addend ^ k);
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
        if (r == 0) {
            CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
            for (unsigned k = 0; k < shape.links; k++)
                link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
                    data.device, shape.n, data.addends[r], k);
            CUDA_TRY(cudaStreamEndCapture(stream, &graph));
            CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
        }
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaGraphLaunch(executable, stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}
