// A stream for each kind of work, kernels that reach other memory by themselves, and as little said
// to the runtime as will do.
#include "cuda_try.h"

#include <stdlib.h>

constexpr unsigned THREADS = 128;

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

static unsigned blocks_for(size_t n)
{
    return (unsigned)ceil_div(n, THREADS);
}

// What one stream does waits for what another has.
struct edge {
    cudaEvent_t event;
    cudaError_t make()
    {
        return cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    cudaError_t from_to(cudaStream_t before, cudaStream_t after)
    {
        cudaError_t status = cudaEventRecord(event, before);
        return status != cudaSuccess ? status : cudaStreamWaitEvent(after, event, 0);
    }
};

// Copies in, kernels and copies out each have a stream. A buffer goes round: copied in, stirred,
// copied out, and back to the first stream, which waits for the event of the last.
cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    enum { IN, WORK, OUT, ROLES };
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[ROLES] = {};
    cudaEvent_t emptied[CHUNK_BUFFERS] = {};
    edge next = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (cudaEvent_t &event : emptied)
        CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_TRY(next.make());
    for (size_t i = 0; i * size < shape.n; i++) {
        const size_t first = i * size, count = min(size, shape.n - first);
        const size_t slot = i % CHUNK_BUFFERS;
        unsigned *buffer = buffers + slot * size;

        if (i >= CHUNK_BUFFERS)
            CUDA_TRY(cudaStreamWaitEvent(streams[IN], emptied[slot], 0));
        CUDA_TRY(cudaMemcpyAsync(
            buffer, in + first, count * sizeof *in, cudaMemcpyHostToDevice, streams[IN]));
        CUDA_TRY(next.from_to(streams[IN], streams[WORK]));
        stir_kernel<<<blocks_for(count), THREADS, 0, streams[WORK]>>>(buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(next.from_to(streams[WORK], streams[OUT]));
        CUDA_TRY(cudaMemcpyAsync(
            out + first, buffer, count * sizeof *in, cudaMemcpyDeviceToHost, streams[OUT]));
        CUDA_TRY(cudaEventRecord(emptied[slot], streams[OUT]));
    }
    CUDA_TRY(cudaStreamSynchronize(streams[OUT]));
done:
    if (next.event)
        cudaEventDestroy(next.event);
    for (cudaEvent_t event : emptied)
        if (event)
            cudaEventDestroy(event);
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    return status;
}

// left stays in the stream of source, right goes into a stream of our own.
cudaError_t run_diamond(const struct diamond *d, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;
    cudaStream_t beside = NULL;
    edge next = {};

    CUDA_TRY(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    CUDA_TRY(next.make());
    CUDA_TRY(d->source.queue(d->source.context, streams[0]));
    CUDA_TRY(next.from_to(streams[0], beside));
    CUDA_TRY(d->right.queue(d->right.context, beside));
    CUDA_TRY(d->left.queue(d->left.context, streams[0]));
    CUDA_TRY(next.from_to(beside, streams[0]));
    CUDA_TRY(d->sink.queue(d->sink.context, streams[0]));
done:
    if (next.event)
        cudaEventDestroy(next.event);
    if (beside)
        cudaStreamDestroy(beside);
    return status;
}

struct line {
    struct journal *journal;
    const int *fetched;
    unsigned stage;
};

static void write_line(void *argument)
{
    const struct line line = *(const struct line *)argument;
    free(argument);
    line.journal->entries[line.journal->length++] = {line.stage, *line.fetched};
}

// streams[0] writes all the lines, so it keeps their order by itself.
cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    edge next = {};

    CUDA_TRY(next.make());
    for (size_t i = 0; i < count; i++) {
        struct line *line = (struct line *)malloc(sizeof *line);
        CUDA_TRY(stages[i].queue(stages[i].context, streams[i % 2]));
        CUDA_TRY(cudaMemcpyAsync(fetching.fetched + i, fetching.results + i, sizeof(int),
            cudaMemcpyDefault, streams[i % 2]));
        if (i % 2 != 0)
            CUDA_TRY(next.from_to(streams[1], streams[0]));
        *line = {journal, fetching.fetched + i, (unsigned)i};
        CUDA_TRY(cudaLaunchHostFunc(streams[0], write_line, line));
    }
done:
    if (next.event)
        cudaEventDestroy(next.event);
    return status;
}

// The graph needs to be told nothing: its kernels find the row by a counter on the device, and reach
// the pinned memory of the host themselves.
static __device__ unsigned current_row;

static __global__ void fetch_row_kernel(
    unsigned *words, const unsigned *in, const unsigned *addends, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        words[i] = in[current_row * n + i];
    if (threadIdx.x == 0)
        words[n] = addends[current_row];
}

static __global__ void link_kernel(unsigned *words, size_t n, unsigned k)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (words[n] ^ k);
}

static __global__ void store_row_kernel(unsigned *out, const unsigned *words, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[current_row * n + i] = words[i];
    __syncthreads();
    if (threadIdx.x == 0)
        current_row++;
}

static cudaError_t on_device(const void *host, unsigned **device)
{
    return cudaHostGetDevicePointer((void **)device, (void *)host, 0);
}

cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    const unsigned zero = 0;
    unsigned *in = NULL, *addends = NULL, *out = NULL;

    if (shape.n == 0 || shape.rows == 0)
        return cudaSuccess;
    CUDA_TRY(on_device(data.in, &in));
    CUDA_TRY(on_device(data.addends, &addends));
    CUDA_TRY(on_device(data.out, &out));
    CUDA_TRY(cudaMemcpyToSymbolAsync(
        current_row, &zero, sizeof zero, 0, cudaMemcpyHostToDevice, stream));
    CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    fetch_row_kernel<<<1, 256, 0, stream>>>(data.device, in, addends, shape.n);
    for (unsigned k = 0; k < shape.links; k++)
        link_kernel<<<blocks_for(shape.n), THREADS, 0, stream>>>(data.device, shape.n, k);
    store_row_kernel<<<1, 256, 0, stream>>>(out, data.device, shape.n);
    CUDA_TRY(cudaStreamEndCapture(stream, &graph));
    CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CUDA_TRY(cudaGraphUpload(executable, stream));
    for (unsigned r = 0; r < shape.rows; r++)
        CUDA_TRY(cudaGraphLaunch(executable, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}

static __global__ void stir_across_kernel(
    const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned word = in[i];
    while (rounds-- > 0)
        word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
    out[i] = word;
}

static bool reaches(int device, int peer)
{
    int can = device == peer;
    if (can)
        return true;
    cudaSetDevice(device);
    if (cudaDeviceCanAccessPeer(&can, device, peer) != cudaSuccess || !can)
        return false;
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    return status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled;
}

// A device that reaches home reads and writes there; only one that does not needs copies.
static cudaError_t queue_part(const unsigned *in, unsigned *out, size_t n, unsigned rounds,
    int device, int home, unsigned **part)
{
    cudaError_t status = cudaSuccess;

    reaches(home, device);
    if (reaches(device, home)) {
        CUDA_TRY(cudaSetDevice(device));
        stir_across_kernel<<<blocks_for(n), THREADS>>>(in, out, n, rounds);
        CUDA_TRY(cudaGetLastError());
    } else {
        CUDA_TRY(cudaSetDevice(device));
        CUDA_TRY(cudaMalloc(part, n * sizeof *in));
        CUDA_TRY(cudaMemcpyPeerAsync(*part, device, in, home, n * sizeof *in, 0));
        stir_kernel<<<blocks_for(n), THREADS>>>(*part, n, rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyPeerAsync(out, home, *part, device, n * sizeof *in, 0));
    }
done:
    return status;
}

cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
    cudaError_t status = cudaSuccess;
    int home = 0, devices = 0;
    unsigned **parts = NULL;
    size_t size = 0;

    CUDA_TRY(cudaGetDevice(&home));
    CUDA_TRY(cudaGetDeviceCount(&devices));
    parts = (unsigned **)calloc(devices, sizeof *parts);
    for (int d = 0; d < devices; d++) {
        const size_t first = n * d / devices;
        size = n * (d + 1) / devices - first;
        if (size > 0)
            CUDA_TRY(queue_part(in + first, out + first, size, rounds, d, home, &parts[d]));
    }
    for (int d = devices - 1; d >= 0; d--) {
        CUDA_TRY(cudaSetDevice(d));
        CUDA_TRY(cudaDeviceSynchronize());
    }
done:
    for (int d = 0; parts && d < devices; d++)
        cudaFree(parts[d]);
    free(parts);
    cudaSetDevice(home);
    return status;
}

// The urgent one is not waited for: who waits for the other and an event waits for both.
cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t slow = NULL, fast = NULL;
    edge next = {};
    int least, greatest;

    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_TRY(cudaStreamCreateWithPriority(&fast, cudaStreamNonBlocking, greatest));
    CUDA_TRY(cudaStreamCreateWithPriority(&slow, cudaStreamNonBlocking, least));
    CUDA_TRY(next.make());
    CUDA_TRY(background.queue(background.context, slow));
    CUDA_TRY(urgent.queue(urgent.context, fast));
    CUDA_TRY(next.from_to(fast, slow));
    CUDA_TRY(cudaStreamSynchronize(slow));
done:
    if (next.event)
        cudaEventDestroy(next.event);
    if (slow)
        cudaStreamDestroy(slow);
    if (fast)
        cudaStreamDestroy(fast);
    return status;
}

static cudaGraphNode_t added(cudaGraph_t graph, cudaGraphNode_t before, const void *kernel,
    unsigned blocks, void **arguments, cudaError_t *status)
{
    cudaGraphNode_t node = NULL;
    struct cudaKernelNodeParams launch = {};
    launch.func = (void *)kernel;
    launch.gridDim = dim3(blocks);
    launch.blockDim = dim3(THREADS);
    launch.kernelParams = arguments;
    if (*status == cudaSuccess)
        *status = cudaGraphAddKernelNode(&node, graph, &before, before != NULL, &launch);
    return node;
}

cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    cudaGraphNode_t last = NULL;
    const unsigned zero = 0;
    unsigned *in = NULL, *addends = NULL, *out = NULL;
    void *to_fetch[] = {&data.device, &in, &addends, &shape.n};
    void *to_store[] = {&out, &data.device, &shape.n};

    if (shape.n == 0 || shape.rows == 0)
        return cudaSuccess;
    CUDA_TRY(on_device(data.in, &in));
    CUDA_TRY(on_device(data.addends, &addends));
    CUDA_TRY(on_device(data.out, &out));
    CUDA_TRY(cudaMemcpyToSymbolAsync(
        current_row, &zero, sizeof zero, 0, cudaMemcpyHostToDevice, stream));
    CUDA_TRY(cudaGraphCreate(&graph, 0));
    last = added(graph, NULL, (const void *)fetch_row_kernel, 1, to_fetch, &status);
    for (unsigned k = 0; k < shape.links; k++) {
        void *to_link[] = {&data.device, &shape.n, &k};
        last = added(graph, last, (const void *)link_kernel, blocks_for(shape.n), to_link, &status);
    }
    last = added(graph, last, (const void *)store_row_kernel, 1, to_store, &status);
    CUDA_TRY(status);
    CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    for (unsigned r = 0; r < shape.rows; r++)
        CUDA_TRY(cudaGraphLaunch(executable, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}
