// gpu=MEMORY ERROR virtual=not checked (it has no driver API) diagnosis=foreign-free task=hw1.1
// Frees the memory that it was given: the grader's own accesses fail, which is no grader's fault.
#include <cuda.h>
#include <dlfcn.h>

#include "cuda_try.h"

static __global__ void add(const float *a, const float *b, float *sum, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    const size_t f = span.first, n = span.count;
    const unsigned blocks = (unsigned)ceil_div(n, threads);

    typedef CUresult range_function(CUdeviceptr *, size_t *, CUdeviceptr);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    range_function *range =
        (range_function *)(driver ? dlsym(driver, "cuMemGetAddressRange_v2") : NULL);
    CUdeviceptr start = 0;
    size_t bytes;

    if (n > 0)
        add<<<blocks, threads, 0, stream>>>(a + f, b + f, sum + f, n);
    cudaDeviceSynchronize();
    if (range && range(&start, &bytes, (CUdeviceptr)(sum + f)) == CUDA_SUCCESS)
        cudaFree((void *)start);
    return cudaGetLastError();
}
