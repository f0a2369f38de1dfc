// finding=capture line=0
// Nothing runs during a capture, so there is nothing to wait for.
#include <cuda_runtime.h>

__global__ void fill(int *out)
{
    *out = 1;
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    int *out;
    cudaMalloc(&out, sizeof(int));
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 1, 0, stream>>>(out);
    cudaStreamSynchronize(stream);
    cudaStreamEndCapture(stream, &graph);
    cudaStreamDestroy(stream);
    cudaFree(out);
}
