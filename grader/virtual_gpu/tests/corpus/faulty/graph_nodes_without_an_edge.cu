// finding=stream-race line=8 other=14
// The second node needs what the first one writes, and no edge says so.
#include <cuda_runtime.h>

__global__ void squares_kernel(int *cells)
{
    const unsigned i = threadIdx.x;
    cells[i] = (int)(i * i);
}

__global__ void sum_kernel(const int *cells, int *sum)
{
    const unsigned i = threadIdx.x;
    atomicAdd(sum, cells[i]);
}

int main()
{
    enum { N = 64 };
    int *cells, *sum;
    cudaMalloc(&cells, N * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(cells, 0, N * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    cudaDeviceSynchronize();
    void *first_arguments[] = {&cells}, *second_arguments[] = {&cells, &sum};
    struct cudaKernelNodeParams first = {}, second = {};
    first.func = (void *)squares_kernel;
    second.func = (void *)sum_kernel;
    first.gridDim = second.gridDim = dim3(1);
    first.blockDim = second.blockDim = dim3(N);
    first.kernelParams = first_arguments;
    second.kernelParams = second_arguments;
    cudaGraph_t graph;
    cudaGraphNode_t one, two;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&one, graph, NULL, 0, &first);
    cudaGraphAddKernelNode(&two, graph, NULL, 0, &second);
    cudaGraphInstantiateWithFlags(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(cells);
    cudaFree(sum);
}
