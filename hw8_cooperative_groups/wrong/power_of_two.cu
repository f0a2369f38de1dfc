// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=power-of-two-only task=hw8.1
// Half of an odd number is rounded down, so a block of 96 loses members.
#include "cuda_try.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __device__ int reduce(cg::thread_group group, int *scratch, int value)
{
    const unsigned rank = group.thread_rank();

    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half)
            value += scratch[rank + half];
        group.sync();
    }
    return value;
}

static __global__ void sum_groups_kernel(const int *in, int *out, size_t n, unsigned size)
{
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    const unsigned first = threadIdx.x / size * size;
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;

    sum = size == blockDim.x ? reduce(block, scratch, sum)
                             : reduce(cg::tiled_partition(block, size), scratch + first, sum);
    if (threadIdx.x == first && i < n)
        out[i / size] = sum;
}

cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
    if (n > 0)
        sum_groups_kernel<<<(unsigned)ceil_div(n, division.block), division.block,
            division.block * sizeof(int), stream>>>(in, out, n, division.group);
    return cudaGetLastError();
}
