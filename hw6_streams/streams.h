/* Homework 6, the contract: what your file defines and the grader calls.
 *
 * What a function makes (streams, events, graphs, memory) it destroys before it returns; work that is
 * still queued does not mind. Outputs are overwritten. Every function returns the first error. */
#ifndef STREAMS_H
#define STREAMS_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* hw6.1: a long array through a small device memory, in chunks, so that copies in, kernels and copies
 * out overlap: out[i] = in[i], stirred `rounds` times.
 *
 *   in       pinned host memory, n words, not modified
 *   out      pinned host memory, n words, complete when the function returns
 *   buffers  device memory: CHUNK_BUFFERS buffers of ceil(n / chunks) words, one behind the other
 *   n        any; 0 does nothing
 *   chunks   at least 1, and perhaps more than n; no chunk is longer than a buffer
 *   rounds   any
 */
enum { CHUNK_BUFFERS = 4 };
struct pipeline_shape {
    size_t n;
    unsigned chunks, rounds;
};
cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape);

/* Work of somebody else's: queue(context, stream) puts it into the stream, waits for nothing, and
 * returns what the runtime said. Call each stage once. */
struct stage {
    cudaError_t (*queue)(void *context, cudaStream_t stream);
    void *context;
};

/* hw6.2: left and right wait for source, and not for each other; sink waits for both.
 *
 *   streams  three, made with cudaStreamNonBlocking; once streams[0] is done, so is everything
 *
 * Returns while the device is still busy.
 */
struct diamond {
    struct stage source, left, right, sink;
};
cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3]);

/* hw6.3: runs stages, one stream and the other in turn, and writes their results into a journal, each
 * as soon as it is there and those before it are written.
 *
 *   stages   count of them; stage i leaves its result in results[i]
 *   count    any; 0 does nothing
 *   results  device memory, count ints
 *   fetched  pinned host memory, count ints, yours: results can be copied there
 *   journal  length is 0; in the end entry i is {i, results[i]}. There is room for count entries
 *   streams  two, made with cudaStreamNonBlocking; once streams[0] is done, the journal is complete
 *
 * Host functions (cudaLaunchHostFunc) write the journal. Returns while the device is still busy.
 */
struct entry {
    unsigned stage;
    int result;
};
struct journal {
    size_t length;
    struct entry *entries;
};
struct fetching {
    const int *results;
    int *fetched;
};
cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2]);

/* hw6.4: rows of data, each through a chain of small kernels, by a graph that is captured and
 * instantiated once and launched for every row.
 * hw6.7 (star): the same, with the graph made node by node, without a capture.
 *
 *   in, out  pinned host memory, rows x n words; out is complete when the function returns
 *   addends  pinned host memory, one word a row
 *   device   device memory, n + 1 words, yours: a row and its addend fit
 *   n        0 and more; rows and links, too
 *   stream   all work goes here; an ordinary stream, for which the default stream waits
 *
 * Link k of the chain (k = 0, 1, …) makes of each word w of row r
 *     w * 1664525 + (addends[r] ^ k)     modulo 2^32
 */
enum { CHAIN_FACTOR = 1664525 };
struct chain_data {
    const unsigned *in, *addends;
    unsigned *out, *device;
};
struct chain_shape {
    size_t n;
    unsigned rows, links;
};
cudaError_t run_chains(struct chain_data data, struct chain_shape shape, cudaStream_t stream);
cudaError_t run_chains_by_hand(
    struct chain_data data, struct chain_shape shape, cudaStream_t stream);

/* hw6.5: out[i] = in[i], stirred `rounds` times, each device computing about n / devices of them.
 *
 *   in, out  memory of the device that is current ("home"), n words each; in is not modified
 *   n        any, also fewer than there are devices
 *
 * All devices that cudaGetDeviceCount() counts take part. Parts travel from device to device, never
 * through the host, and directly where cudaDeviceCanAccessPeer() allows: then access is enabled, both
 * ways, and stays so. On return all devices are done, and home is current again.
 */
cudaError_t stir_everywhere(const unsigned *in, unsigned *out, size_t n, unsigned rounds);

/* hw6.6 (star): queues background, then urgent, in streams of their own, of the lowest and of the
 * highest priority that this device has. Returns when both are done.
 */
cudaError_t run_urgently(struct stage background, struct stage urgent);

#ifdef __cplusplus
}
#endif

#endif
