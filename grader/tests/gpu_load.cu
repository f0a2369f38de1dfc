// Another user of the GPU: kernels that fill it for some milliseconds each, one after the other, until
// the process is killed. For `LOADED=1 grader/tests/repeat.sh`.
#include <cstdio>
#include <cuda_runtime.h>

static __global__ void multiply_add(float *memory, size_t n, int rounds)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x) {
        float x = memory[i];
        for (int round = 0; round < rounds; round++)
            x = x * 0.999f + 0.001f;
        memory[i] = x;
    }
}

int main()
{
    const size_t n = (size_t)64 << 20; // elements: 256 MiB
    float *memory = nullptr;
    cudaError_t status = cudaMalloc(&memory, n * sizeof *memory);

    while (status == cudaSuccess) {
        multiply_add<<<2048, 256>>>(memory, n, 500);
        status = cudaDeviceSynchronize();
    }
    fprintf(stderr, "the load ended: %s\n", cudaGetErrorString(status));
    return 1;
}
