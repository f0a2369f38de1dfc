// Host threads, callbacks of the older kind, default streams a thread, and graphs that are brought
// up to date.
#include "cuda_try.h"

#include <pthread.h>
#include <stdlib.h>

constexpr unsigned THREADS = 512;

static __global__ void stir_kernel(unsigned *words, size_t n, unsigned rounds)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned word = words[i];
    for (unsigned round = 0; round < rounds; round++)
        word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
    words[i] = word;
}

// The host itself waits until a buffer is free, and goes on with the next chunk.
cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    const size_t size = ceil_div(shape.n, shape.chunks);
    struct slot {
        cudaStream_t stream;
        cudaEvent_t free_again;
    } slots[CHUNK_BUFFERS] = {};

    for (struct slot &slot : slots) {
        CUDA_TRY(cudaStreamCreateWithFlags(&slot.stream, cudaStreamNonBlocking));
        CUDA_TRY(cudaEventCreateWithFlags(&slot.free_again, cudaEventDisableTiming));
    }
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        struct slot *slot = &slots[i % CHUNK_BUFFERS];
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        const size_t count = first + size <= shape.n ? size : shape.n - first;
        CUDA_TRY(cudaEventSynchronize(slot->free_again));
        CUDA_TRY(cudaMemcpyAsync(
            buffer, in + first, count * sizeof *in, cudaMemcpyHostToDevice, slot->stream));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, slot->stream>>>(
            buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(
            out + first, buffer, count * sizeof *in, cudaMemcpyDeviceToHost, slot->stream));
        CUDA_TRY(cudaEventRecord(slot->free_again, slot->stream));
    }
    for (struct slot &slot : slots)
        CUDA_TRY(cudaEventSynchronize(slot.free_again));
done:
    for (struct slot &slot : slots) {
        if (slot.free_again)
            cudaEventDestroy(slot.free_again);
        if (slot.stream)
            cudaStreamDestroy(slot.stream);
    }
    return status;
}

// Waits first for whatever the streams hold already, and only then forks.
cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t forked = NULL, joined[2] = {NULL, NULL};
    const struct stage *branches[2] = {&diamond->right, &diamond->left};

    CUDA_TRY(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CUDA_TRY(diamond->source.queue(diamond->source.context, streams[0]));
    CUDA_TRY(cudaEventRecord(forked, streams[0]));
    for (int b = 0; b < 2; b++) {
        CUDA_TRY(cudaEventCreateWithFlags(&joined[b], cudaEventDisableTiming));
        CUDA_TRY(cudaStreamWaitEvent(streams[b + 1], forked, cudaEventWaitDefault));
        CUDA_TRY(branches[b]->queue(branches[b]->context, streams[b + 1]));
        CUDA_TRY(cudaEventRecord(joined[b], streams[b + 1]));
    }
    for (int b = 0; b < 2; b++)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], joined[b], cudaEventWaitDefault));
    CUDA_TRY(diamond->sink.queue(diamond->sink.context, streams[0]));
done:
    if (forked)
        cudaEventDestroy(forked);
    for (int b = 0; b < 2; b++)
        if (joined[b])
            cudaEventDestroy(joined[b]);
    return status;
}

struct line {
    struct journal *journal;
    const int *fetched;
    unsigned stage;
};

static void CUDART_CB write_line(cudaStream_t stream, cudaError_t status, void *argument)
{
    struct line *line = (struct line *)argument;
    struct journal *journal = line->journal;
    (void)stream;
    if (status == cudaSuccess)
        journal->entries[journal->length++] = {line->stage, *line->fetched};
    free(line);
}

// Even lines and odd ones hand the pen to each other, with an event each way.
cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t pen[2] = {NULL, NULL};

    for (cudaEvent_t &event : pen)
        CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (size_t i = 0; i < count; i++) {
        struct line *line = (struct line *)malloc(sizeof *line);
        *line = {journal, fetching.fetched + i, (unsigned)i};
        CUDA_TRY(stages[i].queue(stages[i].context, streams[i % 2]));
        CUDA_TRY(cudaMemcpyAsync(fetching.fetched + i, fetching.results + i, sizeof(int),
            cudaMemcpyDeviceToHost, streams[i % 2]));
        CUDA_TRY(cudaStreamWaitEvent(streams[i % 2], pen[(i + 1) % 2], 0));
        CUDA_TRY(cudaStreamAddCallback(streams[i % 2], write_line, line, 0));
        CUDA_TRY(cudaEventRecord(pen[i % 2], streams[i % 2]));
    }
    if (count > 1)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], pen[1], 0));
done:
    for (cudaEvent_t event : pen)
        if (event)
            cudaEventDestroy(event);
    return status;
}

static __global__ void link_kernel(unsigned *words, size_t n, const unsigned *addend, unsigned k)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (*addend ^ k);
}

// Two graphs, one for even rows and one for odd ones, which have addends in places of their own.
cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graphs[2] = {NULL, NULL};
    cudaGraphExec_t executables[2] = {NULL, NULL};
    unsigned *addends = NULL;
    const size_t bytes = shape.n * sizeof *data.in;

    if (shape.n == 0 || shape.rows == 0)
        return cudaSuccess;
    CUDA_TRY(cudaMallocAsync((void **)&addends, shape.rows * sizeof *addends, stream));
    CUDA_TRY(cudaMemcpyAsync(
        addends, data.addends, shape.rows * sizeof *addends, cudaMemcpyHostToDevice, stream));
    for (int g = 0; g < 2; g++) {
        CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (unsigned k = 0; k < shape.links; k++)
            link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
                data.device, shape.n, data.device + shape.n, k);
        CUDA_TRY(cudaStreamEndCapture(stream, &graphs[g]));
        CUDA_TRY(cudaGraphInstantiateWithFlags(&executables[g], graphs[g], 0));
    }
    for (unsigned r = 0; r < shape.rows; r++) {
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.device + shape.n, addends + r, sizeof *addends, cudaMemcpyDeviceToDevice, stream));
        CUDA_TRY(cudaGraphLaunch(executables[r % 2], stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaFreeAsync(addends, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    for (int g = 0; g < 2; g++) {
        if (executables[g])
            cudaGraphExecDestroy(executables[g]);
        if (graphs[g])
            cudaGraphDestroy(graphs[g]);
    }
    return status;
}

// A host thread for every device: the current device is the thread's own.
struct worker {
    pthread_t thread;
    int device, home;
    const unsigned *in;
    unsigned *out;
    size_t n;
    unsigned rounds;
    cudaError_t status;
};

static cudaError_t reach(int device, int peer)
{
    cudaError_t status = cudaSuccess;
    int can = 0;

    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaDeviceCanAccessPeer(&can, device, peer));
    status = can ? cudaDeviceEnablePeerAccess(peer, 0) : cudaSuccess;
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
        status = cudaSuccess;
    }
done:
    return status;
}

static void *work(void *argument)
{
    struct worker *w = (struct worker *)argument;
    cudaError_t status = cudaSuccess;
    unsigned *words = NULL;
    const size_t bytes = w->n * sizeof *words;

    if (w->device != w->home) {
        CUDA_TRY(reach(w->home, w->device));
        CUDA_TRY(reach(w->device, w->home));
    }
    CUDA_TRY(cudaSetDevice(w->device));
    CUDA_TRY(cudaMalloc(&words, bytes));
    CUDA_TRY(cudaMemcpyPeerAsync(words, w->device, w->in, w->home, bytes, cudaStreamPerThread));
    stir_kernel<<<(unsigned)ceil_div(w->n, THREADS), THREADS, 0, cudaStreamPerThread>>>(
        words, w->n, w->rounds);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyPeerAsync(w->out, w->home, words, w->device, bytes, cudaStreamPerThread));
    CUDA_TRY(cudaStreamSynchronize(cudaStreamPerThread));
done:
    cudaFree(words);
    w->status = status;
    return NULL;
}

cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
    cudaError_t status = cudaSuccess;
    struct worker *workers = NULL;
    int home = 0, devices = 0;

    CUDA_TRY(cudaGetDevice(&home));
    CUDA_TRY(cudaGetDeviceCount(&devices));
    workers = (struct worker *)calloc(devices, sizeof *workers);
    for (int d = 0; d < devices; d++) {
        const size_t first = n / devices * d + (d < (int)(n % devices) ? d : n % devices);
        struct worker *w = &workers[d];
        *w = {0, d, home, in + first, out + first, n / devices + (d < (int)(n % devices)), rounds,
            cudaSuccess};
        if (w->n > 0 && pthread_create(&w->thread, NULL, work, w) != 0)
            status = cudaErrorUnknown, w->n = 0;
    }
    for (int d = 0; d < devices; d++) {
        if (workers[d].n > 0)
            pthread_join(workers[d].thread, NULL);
        if (workers[d].status != cudaSuccess)
            status = workers[d].status;
    }
done:
    free(workers);
    return status;
}

// Both are waited for by asking.
cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t slow = NULL, fast = NULL;
    int lowest = 0, highest = 0;

    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    // What is out of range is moved to its end.
    CUDA_TRY(cudaStreamCreateWithPriority(&slow, cudaStreamNonBlocking, lowest + 10));
    CUDA_TRY(cudaStreamCreateWithPriority(&fast, cudaStreamNonBlocking, highest - 10));
    CUDA_TRY(background.queue(background.context, slow));
    CUDA_TRY(urgent.queue(urgent.context, fast));
    while ((status = cudaStreamQuery(fast)) == cudaErrorNotReady)
        continue;
    CUDA_TRY(status);
    while ((status = cudaStreamQuery(slow)) == cudaErrorNotReady)
        continue;
    cudaGetLastError(); // a stream that is not ready may have left it behind
done:
    if (slow)
        cudaStreamDestroy(slow);
    if (fast)
        cudaStreamDestroy(fast);
    return status;
}

// The addend is an argument: every node is told the new one, before each row. Slow, and right.
cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream);

static __global__ void link_by_value_kernel(unsigned *words, size_t n, unsigned addend, unsigned k)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (addend ^ k);
}

static cudaError_t for_link(struct chain_data data, struct chain_shape shape, unsigned addend,
    unsigned k, cudaGraph_t graph, cudaGraphExec_t executable, cudaGraphNode_t *nodes)
{
    void *arguments[] = {&data.device, &shape.n, &addend, &k};
    struct cudaKernelNodeParams launch = {};
    launch.func = (void *)link_by_value_kernel;
    launch.gridDim = dim3((unsigned)ceil_div(shape.n, THREADS));
    launch.blockDim = dim3(THREADS);
    launch.kernelParams = arguments;
    if (executable)
        return cudaGraphExecKernelNodeSetParams(executable, nodes[k], &launch);
    return cudaGraphAddKernelNode(&nodes[k], graph, k > 0 ? &nodes[k - 1] : NULL, k > 0, &launch);
}

cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    const size_t bytes = shape.n * sizeof *data.in;
    cudaGraphNode_t *nodes = (cudaGraphNode_t *)calloc(shape.links + 1, sizeof *nodes);

    if (shape.n > 0 && shape.rows > 0) {
        CUDA_TRY(cudaGraphCreate(&graph, 0));
        for (unsigned k = 0; k < shape.links; k++)
            CUDA_TRY(for_link(data, shape, 0, k, graph, NULL, nodes));
        CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    }
    for (unsigned r = 0; r < shape.rows && executable; r++) {
        for (unsigned k = 0; k < shape.links; k++)
            CUDA_TRY(for_link(data, shape, data.addends[r], k, graph, executable, nodes));
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaGraphLaunch(executable, stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    free(nodes);
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}
