/* The calls that interpose.cu takes over: counted, then handed to the next library. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>

int interposed_calls;

static void *next_function(const char *name)
{
    interposed_calls++;
    return dlsym(RTLD_NEXT, name);
}

#define TAKE_OVER(name, parameters, arguments)  \
    cudaError_t name parameters                 \
    {                                           \
        cudaError_t(*next) parameters;          \
        *(void **)&next = next_function(#name); \
        return next arguments;                  \
    }

TAKE_OVER(cudaMalloc, (void **pointer, size_t size), (pointer, size))
TAKE_OVER(cudaFree, (void *pointer), (pointer))
TAKE_OVER(cudaMallocHost, (void **pointer, size_t size), (pointer, size))
TAKE_OVER(cudaHostAlloc, (void **pointer, size_t size, unsigned flags), (pointer, size, flags))
TAKE_OVER(cudaMemcpy, (void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind),
    (target, source, bytes, kind))
TAKE_OVER(cudaMemcpyAsync,
    (void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
    (target, source, bytes, kind, stream))
TAKE_OVER(cudaMemset, (void *target, int value, size_t bytes), (target, value, bytes))
TAKE_OVER(cudaDeviceSynchronize, (void), ())
TAKE_OVER(cudaStreamSynchronize, (cudaStream_t stream), (stream))
TAKE_OVER(cudaGetLastError, (void), ())
