// finding=host-function line=0
// A host function that runs in a stream must not call CUDA.
#include <cuda_runtime.h>

static void CUDART_CB clean_up(void *data)
{
    cudaFree(data);
}

int main()
{
    cudaStream_t stream;
    int *out;
    cudaMalloc(&out, 128);
    cudaStreamCreate(&stream);
    cudaMemsetAsync(out, 0, 128, stream);
    cudaLaunchHostFunc(stream, clean_up, out);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(out);
}
