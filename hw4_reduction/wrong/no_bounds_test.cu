// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone|out-of-bounds task=hw4.6
// Guards the load but not the store: the threads past n write behind the array.
#include "cuda_try.h"

static __global__ void scan(const int *in, int *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int sum = i < n ? in[i] : 0;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset)
            sum += below;
    }
    out[i] = sum;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        scan<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
