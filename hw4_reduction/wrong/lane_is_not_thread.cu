// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=lane-is-not-thread task=hw4.6
// Takes the thread's number in the block for its lane: right in the first warp of a block only.
#include "cuda_try.h"

static __global__ void scan(const int *in, int *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x;
    int sum = i < n ? in[i] : 0;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset)
            sum += below;
    }
    if (i < n)
        out[i] = sum;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        scan<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
