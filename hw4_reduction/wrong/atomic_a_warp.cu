// gpu=TOO SLOW virtual=TOO SLOW diagnosis=many-atomics task=hw4.7
// One atomic a warp, by hand. The compiler had done that for a constant increment already.
#include "cuda_try.h"

static __global__ void compact(const int *in, int *out, unsigned *count, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32, start = 0;
    int item = i < n ? in[i] : 0;
    unsigned keepers = __ballot_sync(0xffffffff, item > 0);

    if (lane == 0)
        start = atomicAdd(count, __popc(keepers));
    start = __shfl_sync(0xffffffff, start, 0);
    if (item > 0)
        out[start + __popc(keepers & ((1u << lane) - 1))] = item;
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaMemsetAsync(count, 0, sizeof *count, stream);
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
