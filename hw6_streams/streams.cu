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

// TODO(hw6.1): about 30 lines.
//   Given  `in` and `out` are pinned; CHUNK_BUFFERS buffers of ceil_div(n, chunks) words,
//          and stir_kernel.
//   Leave  out[i] = in[i], stirred. Chunk after chunk goes in, is stirred and goes out in
//          one stream; the next chunk takes the next of several streams. Returns when
//          all of `out` is there.
//   Mind   the last chunk is shorter, and with many chunks there may be none left for the
//          last; a buffer may be filled again only when its chunk is on the host.
cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.1)

// ---- hw6.2: a diamond of dependencies -----------------------------------------------

// TODO(hw6.2): about 25 lines.
//   Given  diamond->source.queue(diamond->source.context, stream) queues a stage.
//   Leave  left and right wait for source, sink for both, by events alone; who waits for
//          streams[0] waits for everything. The host waits for nothing.
//   Mind   a wait before the record waits for nothing; an event that is recorded again
//          stands for the later place, in all waits that come after.
cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.2)

// ---- hw6.3: a journal, written by the host ------------------------------------------

// TODO(hw6.3): a host function of about 5 lines, and about 35 to queue it.
//   Given  stage i leaves results[i] on the device; fetched[i] is pinned host memory.
//   Leave  entry i of the journal = {i, results[i]}, for each i, in this order. Stage i
//          runs in streams[i % 2], its result is copied, and then a host function
//          (cudaLaunchHostFunc) writes the line.
//   Mind   this function returns long before the host functions run, so what their
//          argument points at must still be there, and be freed by them (free() is no
//          call of CUDA, of which they may make none); two streams keep no order.
cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.3)

// ---- hw6.4: a graph, captured once --------------------------------------------------

// TODO(hw6.4): a kernel of 3 lines, and about 45 lines in three functions.
//   Given  the link of streams.h: w * CHAIN_FACTOR + (addend ^ k);
//          cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) and
//          cudaStreamEndCapture(stream, &graph);
//          cudaGraphInstantiateWithFlags(&executable, graph, 0); cudaGraphLaunch.
//   Leave  out: each row of `in` after `links` links with its addend. One graph of `links`
//          kernels is captured and instantiated once, and launched for each row, between
//          the copies of the row and its addend to the device and of the result back.
//   Mind   a graph keeps the arguments of its kernels as they were: what changes from row
//          to row must come from memory. While a stream captures, nothing runs, and calls
//          that wait or use the default stream end the capture with an error; so does a
//          grid of 0 blocks. Destroying a graph of NULL is an error.
cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.4)

// ---- hw6.5: all devices -------------------------------------------------------------

// TODO(hw6.5): about 55 lines in two or three functions.
//   Given  cudaSetDevice makes a device current: streams, memory and kernels are its own.
//   Leave  out = in, stirred, about n / devices words by each device, in memory of its
//          own: there by cudaMemcpyPeerAsync, stirred, back. Queue everything everywhere,
//          then wait for every device, and make the first one current again.
//   Mind   n need not be a multiple, and there may be one device; that peer access is
//          enabled already is no failure, but an error that cudaGetLastError() has to
//          take: cudaErrorPeerAccessAlreadyEnabled.
cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds)
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.5)

// ---- hw6.6 (star): the urgent one first ---------------------------------------------

// TODO(hw6.6): about 20 lines.
//   Given  cudaDeviceGetStreamPriorityRange and cudaStreamCreateWithPriority.
//   Leave  background queued in a stream of the lowest priority, then urgent in one of the
//          highest; both done.
//   Mind   the lower number is the more urgent one; what does the range give first?
cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.6)

// ---- hw6.7 (star): the same graph, made by hand -------------------------------------

// TODO(hw6.7): about 40 lines, with what hw6.4 has made.
//   Leave  the same result by a graph from cudaGraphCreate and cudaGraphAddKernelNode.
//   Mind   nodes have no order but what you say: each link needs the one before.
cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw6.7)
