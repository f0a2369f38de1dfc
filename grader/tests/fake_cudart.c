/* A CUDA runtime without a device, for ledger_test.c: device memory is host memory, launches do
 * nothing, and faults are those that the ledger has to see. Built by the test as libfake_cudart.so
 * with the symbol versions of the real one. */
#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 256, REFUSED_POINTER = 0x10 };

typedef void *_Atomic block_table[BLOCKS_MAX];
static block_table device_blocks, pinned_blocks; /* alive */
atomic_int fake_blocks_alive, fake_pinned_alive;
static cudaError_t last_error;

static cudaError_t result(cudaError_t status)
{
    if (status != cudaSuccess)
        last_error = status;
    return status;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t status = last_error;
    last_error = cudaSuccess;
    return status;
}

static cudaError_t allocate(block_table table, atomic_int *alive, void **pointer, size_t bytes)
{
    if (bytes > (size_t)1 << 40)
        return result(cudaErrorMemoryAllocation);
    *pointer = malloc(bytes ? bytes : 1);
    for (size_t i = 0; i < BLOCKS_MAX; i++) {
        void *empty = NULL;
        if (atomic_compare_exchange_strong(&table[i], &empty, *pointer)) {
            ++*alive;
            return cudaSuccess;
        }
    }
    abort();
}

static cudaError_t release(block_table table, atomic_int *alive, void *pointer)
{
    for (size_t i = 0; i < BLOCKS_MAX && pointer; i++) {
        void *expected = pointer;
        if (atomic_compare_exchange_strong(&table[i], &expected, NULL)) {
            free(pointer);
            --*alive;
            return cudaSuccess;
        }
    }
    return pointer ? result(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(device_blocks, &fake_blocks_alive, pointer, bytes);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    return flags == cudaMemAttachGlobal ? cudaMalloc(pointer, bytes) : cudaErrorInvalidValue;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMalloc(pointer, bytes);
}

cudaError_t cudaFree(void *pointer)
{
    return release(device_blocks, &fake_blocks_alive, pointer);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    (void)stream;
    return cudaFree(pointer);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(pinned_blocks, &fake_pinned_alive, pointer, bytes);
}

/* Through an exported function, as a runtime may: the ledger must count it once. */
cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, 0);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return release(pinned_blocks, &fake_pinned_alive, pointer);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->type = cudaMemoryTypeUnregistered;
    for (size_t i = 0; i < BLOCKS_MAX; i++)
        if (device_blocks[i] == pointer)
            attributes->type = cudaMemoryTypeDevice;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    if ((uintptr_t)from == REFUSED_POINTER)
        return result(cudaErrorInvalidValue);
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(
    void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync_ptsz(
    void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind)
{
    (void)kind;
    for (size_t row = 0; row < height; row++)
        memcpy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return cudaSuccess;
}

/* CUDA 13 says no more than this of a block that is too large. */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
    size_t shared_bytes, cudaStream_t stream)
{
    (void)kernel, (void)arguments, (void)shared_bytes, (void)stream;
    return grid.x > 0 && block.x <= 1024 ? cudaSuccess : result(cudaErrorInvalidValue);
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
    size_t shared_bytes, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
    size_t shared_bytes, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernelExC(
    const cudaLaunchConfig_t *configuration, const void *kernel, void **arguments)
{
    return cudaLaunchKernel(kernel, configuration->gridDim, configuration->blockDim, arguments,
        configuration->dynamicSmemBytes, configuration->stream);
}

/* Streams, events and graphs are addresses that nobody looks at. */

static char handle;

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = (cudaStream_t)&handle;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority;
    return flags <= cudaStreamNonBlocking ? cudaStreamCreate(stream)
                                          : result(cudaErrorInvalidValue);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return stream ? cudaSuccess : result(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = (cudaEvent_t)&handle;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    (void)event;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    return stream ? cudaSuccess : result(cudaErrorStreamCaptureUnsupported);
}

/* An invalid capture ends with an error and without a graph. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream ? (cudaGraph_t)&handle : NULL;
    return stream ? cudaSuccess : result(cudaErrorStreamCaptureInvalidated);
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = (cudaGraph_t)&handle;
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
    const cudaGraphNode_t *needs, size_t count, const struct cudaKernelNodeParams *kernel)
{
    (void)graph, (void)needs, (void)count;
    *node = (cudaGraphNode_t)&handle;
    return kernel->func ? cudaSuccess : result(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    (void)graph;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(
    cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags)
{
    (void)graph, (void)flags;
    *executable = (cudaGraphExec_t)&handle;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    (void)stream;
    return executable ? cudaSuccess : result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    (void)executable;
    return cudaSuccess;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    (void)graph, (void)nodes;
    *count = 7;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)attribute, (void)device;
    *value = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    (void)device;
    properties->cooperativeLaunch = 1;
    return cudaSuccess;
}
