/* What a student's object does to the runtime, for ledger_test.c, which builds it against
 * fake_cudart.c and opens it with RTLD_LOCAL. */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
    size_t shared_bytes, cudaStream_t stream);
cudaError_t cudaMemcpyAsync_ptsz(
    void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);

static const dim3 one = {1, 1, 1};

/* The host function of homework 1: three arrays, two copies in, one out, all freed. */
cudaError_t candidate_tidy(size_t bytes)
{
    void *a = NULL, *b = NULL, *sum = NULL, *host = calloc(3, bytes);
    cudaError_t status = cudaSuccess;

    if ((status = cudaMalloc(&a, bytes)) != cudaSuccess ||
        (status = cudaMalloc(&b, bytes)) != cudaSuccess ||
        (status = cudaMalloc(&sum, bytes)) != cudaSuccess)
        goto done;
    cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);
    status = __cudaLaunchKernel(a, one, one, NULL, 0, 0);
    cudaMemcpy(host, sum, bytes, cudaMemcpyDeviceToHost);
done:
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
    free(host);
    return status;
}

/* Gives up without freeing what it has. */
cudaError_t candidate_leaky(size_t bytes)
{
    void *a = NULL, *b = NULL, *pinned = NULL;

    cudaMalloc(&a, bytes);
    cudaMallocHost(&pinned, bytes);
    return cudaMalloc(&b, bytes);
}

/* One of everything that allocates, each freed in its own way. */
cudaError_t candidate_every_allocation(void)
{
    void *pointer = NULL;
    size_t pitch = 0;

    cudaMallocManaged(&pointer, 100, cudaMemAttachGlobal);
    cudaFree(pointer);
    cudaMallocPitch(&pointer, &pitch, 100, 3);
    cudaFree(pointer);
    cudaMallocAsync(&pointer, 100, 0);
    cudaFreeAsync(pointer, 0);
    cudaHostAlloc(&pointer, 100, cudaHostAllocDefault);
    cudaFreeHost(pointer);
    cudaFree(NULL);
    return cudaSuccess;
}

cudaError_t candidate_every_copy(void)
{
    char host[64] = {0};
    void *one_block = NULL, *other = NULL;

    cudaMalloc(&one_block, 64);
    cudaMalloc(&other, 64);
    cudaMemcpy(one_block, host, 1, cudaMemcpyDefault);
    cudaMemcpyAsync(host, one_block, 2, cudaMemcpyDefault, 0);
    cudaMemcpyAsync_ptsz(other, one_block, 4, cudaMemcpyDefault, 0);
    cudaMemcpy2D(one_block, 16, host, 16, 8, 3, cudaMemcpyHostToDevice);
    cudaMemcpy(host, host + 32, 32, cudaMemcpyHostToHost);
    cudaMemcpy(host, (void *)0x10, 5, cudaMemcpyHostToDevice); /* the runtime refuses this one */
    cudaFree(one_block);
    cudaFree(other);
    return cudaSuccess;
}

cudaError_t candidate_every_launch(void)
{
    const dim3 too_large = {2048, 1, 1};
    const cudaLaunchConfig_t configuration = {.gridDim = one, .blockDim = one};
    const cudaLaunchConfig_t empty = {.gridDim = {0, 1, 1}, .blockDim = one};

    cudaLaunchKernel(&one, one, one, NULL, 0, 0);
    cudaLaunchCooperativeKernel(&one, one, one, NULL, 0, 0);
    cudaLaunchKernelExC(&configuration, &one, NULL);
    cudaLaunchKernel(&one, (dim3){7, 2, 1}, too_large, NULL, 48, 0);
    cudaLaunchKernelExC(&empty, &one, NULL);
    cudaDeviceSynchronize();
    cudaStreamSynchronize(0);
    cudaEventSynchronize(0);
    return cudaSuccess;
}

static void *allocate_often(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        void *pointer = NULL;
        cudaMalloc(&pointer, 8);
        cudaFree(pointer);
    }
    return unused;
}

cudaError_t candidate_threads(void)
{
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, allocate_often, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return cudaSuccess;
}

cudaError_t candidate_free_twice(void)
{
    void *pointer = NULL;

    cudaMalloc(&pointer, 8);
    cudaFree(pointer);
    return cudaFree(pointer);
}

/* A stream, an event, a graph and what it was made into are left; what fails makes nothing. */
cudaError_t candidate_handles(void)
{
    cudaStream_t one_stream, other;
    cudaEvent_t event;
    cudaGraph_t captured, made;
    cudaGraphNode_t node;
    const struct cudaKernelNodeParams kernel = {
        .func = (void *)&node, .gridDim = one, .blockDim = one};
    cudaGraphExec_t executable;

    cudaStreamCreate(&one_stream);
    cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -1);
    cudaStreamCreateWithPriority(&other, 99, 0);
    cudaStreamDestroy(one_stream);
    cudaStreamDestroy(NULL);
    for (int i = 0; i < 3; i++)
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventDestroy(event);
    cudaEventDestroy(event);
    cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(other, &captured);
    cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(NULL, &captured);
    cudaGraphCreate(&made, 0);
    cudaGraphAddKernelNode(&node, made, NULL, 0, &kernel);
    cudaGraphAddKernelNode(&node, made, &node, 1, &kernel);
    cudaGraphDestroy(made);
    cudaGraphInstantiateWithFlags(&executable, made, 0);
    for (int i = 0; i < 5; i++)
        cudaGraphLaunch(executable, other);
    return cudaGraphLaunch(NULL, other);
}

/* cudaSuccess if the device has cooperative launch, and says so in every way. */
cudaError_t candidate_cooperates(void)
{
    struct cudaDeviceProp properties;
    cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    const cudaLaunchConfig_t configuration = {
        .gridDim = one, .blockDim = one, .attrs = &attribute, .numAttrs = 1};
    const bool launched = cudaLaunchCooperativeKernel(&one, one, one, NULL, 0, 0) == cudaSuccess;
    int yes = 0, other = 0;

    cudaDeviceGetAttribute(&yes, cudaDevAttrCooperativeLaunch, 0);
    cudaDeviceGetAttribute(&other, cudaDevAttrConcurrentKernels, 0);
    cudaGetDeviceProperties(&properties, 0);
    const bool configured = cudaLaunchKernelExC(&configuration, &one, NULL) == cudaSuccess;
    const bool all = launched && configured && yes && properties.cooperativeLaunch;
    const bool none = !launched && !configured && !yes && !properties.cooperativeLaunch;
    return !other || all == none ? cudaErrorUnknown : all ? cudaSuccess : cudaErrorNotSupported;
}
