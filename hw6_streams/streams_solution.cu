// Homework 6, streams: copies and kernels side by side.
//
// What each function must do stands in streams.h, which the build includes for you. Work
// in one stream is done in the order in which it was queued. Between streams there is no
// order but what events make: record in the stream that goes first, wait in the other.
#include "cuda_try.h"

#include <stdlib.h>

constexpr unsigned THREADS = 256; // of a block, in every launch

// Given: what hw6.1 and hw6.5 have to compute, an element a thread, in place.
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

// ---- A worked example: copy in one stream, compute in another -----------------------

// `in` is pinned host memory, `words` device memory; when it returns, words are stirred.
cudaError_t copy_and_stir(const unsigned *in, unsigned *words, size_t n, unsigned rounds)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t copying = NULL, stirring = NULL;
    cudaEvent_t copied = NULL;

    CUDA_TRY(cudaStreamCreateWithFlags(&copying, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&stirring, cudaStreamNonBlocking));
    // speed: an event that only orders work needs no time of its own.
    CUDA_TRY(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));

    CUDA_TRY(cudaMemcpyAsync(words, in, n * sizeof *in, cudaMemcpyHostToDevice, copying));
    // correctness: produce, record, wait, consume, in this order. A wait for an event that
    // nobody has recorded yet is no error and waits for nothing.
    CUDA_TRY(cudaEventRecord(copied, copying));
    CUDA_TRY(cudaStreamWaitEvent(stirring, copied, 0));
    if (n > 0) // correctness: a grid of 0 blocks is an error
        stir_kernel<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stirring>>>(words, n, rounds);
    CUDA_TRY(cudaGetLastError());

    // So far the host has waited for nothing. Who waits for `stirring` waits for the copy,
    // too, since the kernel does.
    CUDA_TRY(cudaStreamSynchronize(stirring));
done:
    if (copied) // what was never made must not be destroyed: NULL is no event
        cudaEventDestroy(copied);
    if (stirring)
        cudaStreamDestroy(stirring);
    if (copying)
        cudaStreamDestroy(copying);
    return status;
}

// ---- hw6.1: a pipeline of chunks ----------------------------------------------------

// SOLVED(hw6.1)
// A chunk goes in, is stirred and goes out in one stream, which keeps that order, and
// needs one buffer. Each stream has its own buffer, so the next chunk in a stream cannot
// overwrite what is still on its way out.
cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t streams[CHUNK_BUFFERS] = {};
    const size_t size = ceil_div(shape.n, shape.chunks);

    for (cudaStream_t &stream : streams)
        CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t first = 0, i = 0; first < shape.n; first += size, i++) {
        const size_t count = min(size, shape.n - first), bytes = count * sizeof *in;
        unsigned *buffer = buffers + i % CHUNK_BUFFERS * size;
        cudaStream_t stream = streams[i % CHUNK_BUFFERS];

        CUDA_TRY(cudaMemcpyAsync(buffer, in + first, bytes, cudaMemcpyHostToDevice, stream));
        stir_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, stream>>>(
            buffer, count, shape.rounds);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(out + first, buffer, bytes, cudaMemcpyDeviceToHost, stream));
    }
    for (cudaStream_t stream : streams)
        CUDA_TRY(cudaStreamSynchronize(stream));
done:
    for (cudaStream_t stream : streams)
        if (stream)
            cudaStreamDestroy(stream);
    return status;
}
// END(hw6.1)

// ---- hw6.2: a diamond of dependencies -----------------------------------------------

// SOLVED(hw6.2)
// Everything behind this call in `after` waits for everything before it in `before`.
static cudaError_t join(cudaStream_t before, cudaStream_t after, cudaEvent_t event)
{
    cudaError_t status = cudaEventRecord(event, before);
    return status == cudaSuccess ? cudaStreamWaitEvent(after, event, 0) : status;
}

cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;
    cudaStream_t main = streams[0], left = streams[1], right = streams[2];
    cudaEvent_t event = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_TRY(diamond->source.queue(diamond->source.context, main));
    // One event will do: a wait keeps the record that it found, whatever comes after.
    CUDA_TRY(join(main, left, event));
    CUDA_TRY(join(main, right, event));
    CUDA_TRY(diamond->left.queue(diamond->left.context, left));
    CUDA_TRY(diamond->right.queue(diamond->right.context, right));
    CUDA_TRY(join(left, main, event));
    CUDA_TRY(join(right, main, event));
    CUDA_TRY(diamond->sink.queue(diamond->sink.context, main));
done:
    if (event)
        cudaEventDestroy(event);
    return status;
}
// END(hw6.2)

// ---- hw6.3: a journal, written by the host ------------------------------------------

// SOLVED(hw6.3)
// What a host function needs to know. It lives on the heap until that function has run,
// for keep_journal() has long returned by then.
struct line {
    struct journal *journal;
    const int *fetched;
    unsigned stage;
};

// Runs on a thread of the driver, which no CUDA call may keep waiting.
static void write_line(void *argument)
{
    struct line *line = (struct line *)argument;
    struct journal *journal = line->journal;

    journal->entries[journal->length++] = (struct entry){line->stage, *line->fetched};
    free(line);
}

static cudaError_t queue_line(const struct line &line, cudaStream_t stream)
{
    struct line *kept = (struct line *)malloc(sizeof *kept);

    if (!kept)
        return cudaErrorMemoryAllocation;
    *kept = line;
    cudaError_t status = cudaLaunchHostFunc(stream, write_line, kept);
    if (status != cudaSuccess)
        free(kept);
    return status;
}

cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t written = NULL; // the line before this one

    CUDA_TRY(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
    for (size_t i = 0; i < count; i++) {
        cudaStream_t stream = streams[i % 2];
        int *fetched = fetching.fetched + i;

        CUDA_TRY(stages[i].queue(stages[i].context, stream));
        // The target is pinned, so the copy is queued and the host goes on.
        CUDA_TRY(cudaMemcpyAsync(
            fetched, fetching.results + i, sizeof *fetched, cudaMemcpyDeviceToHost, stream));
        if (i > 0)
            CUDA_TRY(cudaStreamWaitEvent(stream, written, 0));
        CUDA_TRY(queue_line({journal, fetched, (unsigned)i}, stream));
        CUDA_TRY(cudaEventRecord(written, stream));
    }
    if (count > 0)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
done:
    if (written)
        cudaEventDestroy(written);
    return status;
}
// END(hw6.3)

// ---- hw6.4: a graph, captured once --------------------------------------------------

// SOLVED(hw6.4)
// The addend comes from memory: an argument would be baked into the graph.
static __global__ void link_kernel(unsigned *words, size_t n, const unsigned *addend, unsigned k)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = words[i] * CHAIN_FACTOR + (*addend ^ k);
}

static cudaError_t queue_links(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    for (unsigned k = 0; k < shape.links; k++)
        link_kernel<<<(unsigned)ceil_div(shape.n, THREADS), THREADS, 0, stream>>>(
            data.device, shape.n, data.device + shape.n, k);
    return cudaGetLastError();
}

// Between begin and end nothing runs: what is queued becomes nodes of a graph.
static cudaError_t capture_links(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    if (status != cudaSuccess)
        return status;
    status = queue_links(data, shape, stream);
    // correctness: also after an error, or the stream would go on capturing
    cudaError_t ended = cudaStreamEndCapture(stream, graph);
    return status == cudaSuccess ? ended : status;
}

// Every row through the same graph: it always works on data.device, and each row and its
// addend are copied there before, and the result away after.
static cudaError_t run_rows(
    struct chain_data data, struct chain_shape shape, cudaGraphExec_t graph, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    size_t bytes = shape.n * sizeof *data.in;

    for (unsigned r = 0; r < shape.rows; r++) {
        CUDA_TRY(cudaMemcpyAsync(
            data.device, data.in + r * shape.n, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(data.device + shape.n, data.addends + r, sizeof *data.addends,
            cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaGraphLaunch(graph, stream));
        CUDA_TRY(cudaMemcpyAsync(
            data.out + r * shape.n, data.device, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    return status;
}

cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;

    if (shape.n == 0)
        return cudaSuccess;
    CUDA_TRY(capture_links(data, shape, stream, &graph));
    CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CUDA_TRY(run_rows(data, shape, executable, stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}
// END(hw6.4)

// ---- hw6.5: all devices -------------------------------------------------------------

// SOLVED(hw6.5)
// What one device does: words first … first + count - 1, in memory of its own.
struct share {
    size_t first, count;
    unsigned *words;
    cudaStream_t stream;
};

// Lets `device`, which is made current, reach the memory of `peer`, where it can.
static cudaError_t reach(int device, int peer)
{
    cudaError_t status = cudaSuccess;
    int can = 0;

    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaDeviceCanAccessPeer(&can, device, peer));
    if (!can)
        return cudaSuccess; // copies then go through the host by themselves
    status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError(); // it is no error, and must not be found later
        status = cudaSuccess;
    }
done:
    return status;
}

// Queues the whole way of a share: here, stir, back.
static cudaError_t queue_share(
    struct share *share, const unsigned *in, unsigned *out, unsigned rounds, int device, int home)
{
    cudaError_t status = cudaSuccess;
    size_t bytes = share->count * sizeof *in;

    if (share->count == 0)
        return cudaSuccess;
    if (device != home) {
        CUDA_TRY(reach(home, device));
        CUDA_TRY(reach(device, home));
    }
    CUDA_TRY(cudaSetDevice(device)); // correctness: a stream belongs to the current device
    CUDA_TRY(cudaStreamCreateWithFlags(&share->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaMalloc(&share->words, bytes));
    CUDA_TRY(
        cudaMemcpyPeerAsync(share->words, device, in + share->first, home, bytes, share->stream));
    stir_kernel<<<(unsigned)ceil_div(share->count, THREADS), THREADS, 0, share->stream>>>(
        share->words, share->count, rounds);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(
        cudaMemcpyPeerAsync(out + share->first, home, share->words, device, bytes, share->stream));
done:
    return status;
}

cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
    cudaError_t status = cudaSuccess, restored = cudaSuccess;
    struct share *shares = NULL;
    int home = 0, devices = 0;

    CUDA_TRY(cudaGetDevice(&home));
    CUDA_TRY(cudaGetDeviceCount(&devices));
    shares = (struct share *)calloc((size_t)devices, sizeof *shares);
    CUDA_TRY(shares ? cudaSuccess : cudaErrorMemoryAllocation);
    // First queue everything everywhere, then wait: who waits in between uses one device
    // after the other.
    for (int d = 0; d < devices; d++) {
        shares[d].first = n / devices * d + min((size_t)d, n % devices);
        shares[d].count = n / devices + ((size_t)d < n % devices);
        CUDA_TRY(queue_share(&shares[d], in, out, rounds, d, home));
    }
    for (int d = 0; d < devices; d++)
        if (shares[d].stream)
            CUDA_TRY(cudaStreamSynchronize(shares[d].stream));
done:
    for (int d = 0; shares && d < devices; d++) {
        cudaFree(shares[d].words);
        if (shares[d].stream)
            cudaStreamDestroy(shares[d].stream);
    }
    free(shares);
    restored = cudaSetDevice(home);
    return status == cudaSuccess ? restored : status;
}
// END(hw6.5)

// ---- hw6.6 (star): the urgent one first ---------------------------------------------

// SOLVED(hw6.6)
cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t slow = NULL, fast = NULL;
    int least = 0, greatest = 0; // the least priority is the largest number

    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_TRY(cudaStreamCreateWithPriority(&slow, cudaStreamNonBlocking, least));
    CUDA_TRY(cudaStreamCreateWithPriority(&fast, cudaStreamNonBlocking, greatest));
    CUDA_TRY(background.queue(background.context, slow));
    CUDA_TRY(urgent.queue(urgent.context, fast));
    CUDA_TRY(cudaStreamSynchronize(fast));
    CUDA_TRY(cudaStreamSynchronize(slow));
done:
    if (fast)
        cudaStreamDestroy(fast);
    if (slow)
        cudaStreamDestroy(slow);
    return status;
}
// END(hw6.6)

// ---- hw6.7 (star): the same graph, made by hand -------------------------------------

// SOLVED(hw6.7)
// Each link is a node that needs the one before it. The arguments are copied when the node
// is added, so the array that points at them may go.
static cudaError_t add_links(struct chain_data data, struct chain_shape shape, cudaGraph_t graph)
{
    cudaError_t status = cudaSuccess;
    cudaGraphNode_t node = NULL, before = NULL;
    const unsigned *addend = data.device + shape.n;

    for (unsigned k = 0; k < shape.links; k++) {
        void *arguments[] = {&data.device, &shape.n, &addend, &k};
        struct cudaKernelNodeParams launch = {};
        launch.func = (void *)link_kernel;
        launch.gridDim = dim3((unsigned)ceil_div(shape.n, THREADS));
        launch.blockDim = dim3(THREADS);
        launch.kernelParams = arguments;
        CUDA_TRY(cudaGraphAddKernelNode(&node, graph, &before, k > 0, &launch));
        before = node;
    }
done:
    return status;
}

cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;

    if (shape.n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaGraphCreate(&graph, 0));
    CUDA_TRY(add_links(data, shape, graph));
    CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CUDA_TRY(run_rows(data, shape, executable, stream));
done:
    if (executable)
        cudaGraphExecDestroy(executable);
    if (graph)
        cudaGraphDestroy(graph);
    return status;
}
// END(hw6.7)
