// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=lost-reservations task=hw4.7
// Reads the counter, adds, writes it back: the lanes of a warp all get the same place.
#include "cuda_try.h"

static __global__ void compact(const int *in, int *out, unsigned *count, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        unsigned place = *count;
        *count = place + 1;
        out[place] = in[i];
    }
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaMemsetAsync(count, 0, sizeof *count, stream);
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
