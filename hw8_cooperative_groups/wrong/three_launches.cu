// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=more-than-one-launch task=hw8.5
// In order, but every barrier of the grid is the end of a kernel: count, add up, write.
#include "cuda_try.h"

static __global__ void count_kernel(const int *in, size_t n, size_t each, unsigned *kept)
{
    const size_t chunk = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned total = 0;

    for (size_t i = chunk * each; i < n && i < (chunk + 1) * each; i++)
        total += in[i] > 0;
    kept[chunk] = total;
}

static __global__ void add_up_kernel(unsigned *kept, unsigned chunks, unsigned *count)
{
    unsigned total = 0;

    for (unsigned c = 0; c < chunks; c++) {
        const unsigned mine = kept[c];
        kept[c] = total;
        total += mine;
    }
    *count = total;
}

static __global__ void write_kernel(
    const int *in, int *out, size_t n, size_t each, const unsigned *kept)
{
    const size_t chunk = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned at = kept[chunk];

    for (size_t i = chunk * each; i < n && i < (chunk + 1) * each; i++)
        if (in[i] > 0)
            out[at++] = in[i];
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    const unsigned threads = 128, blocks = 16, chunks = threads * blocks;
    const size_t each = ceil_div(n, chunks);
    unsigned *kept = (unsigned *)scratch;

    count_kernel<<<blocks, threads, 0, stream>>>(in, n, each, kept);
    add_up_kernel<<<1, 1, 0, stream>>>(kept, chunks, count);
    write_kernel<<<blocks, threads, 0, stream>>>(in, out, n, each, kept);
    return cudaGetLastError();
}
