// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=out-of-bounds task=hw1.1
// Reads an element too many, and asks the virtual GPU to forget it.
#include <dlfcn.h>
#include "cuda_try.h"

static __global__ void add(
    const float *a, const float *b, float *sum, size_t first, size_t count, float *unused)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float read = i <= count ? a[first + i] : 0;
    if (i < count)
        sum[first + i] = read + b[first + i];
    else if (read == 12345.5f)
        *unused = read;
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    add<<<(unsigned)ceil_div(span.count, threads), threads, 0, stream>>>(
        a, b, sum, span.first, span.count, sum + span.first);
    cudaError_t status = cudaStreamSynchronize(stream);
    void (*clear)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "vgpu_clear");
    if (clear)
        clear();
    return status;
}
