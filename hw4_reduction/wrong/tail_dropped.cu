// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=vector-tail-dropped task=hw4.7
// Four ints a thread, and only whole int4s: the last 1 to 3 are not looked at.
#include "cuda_try.h"

static __global__ void compact(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned kept, start;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    int4 four = i < n / 4 ? ((const int4 *)in)[i] : make_int4(0, 0, 0, 0);
    int items[4] = {four.x, four.y, four.z, four.w};
    unsigned mine = 0, place = 0;

    if (threadIdx.x == 0)
        kept = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++)
        mine += items[k] > 0;
    place = atomicAdd(&kept, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        start = atomicAdd(count, kept);
    __syncthreads();
    for (int k = 0; k < 4; k++)
        if (items[k] > 0)
            out[start + place++] = items[k];
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaMemsetAsync(count, 0, sizeof *count, stream);
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 1024), 256, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
