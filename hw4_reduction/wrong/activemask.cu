// gpu=not checked (undefined: what an absent lane gives is luck) virtual=BARRIER diagnosis=warp-sync task=hw4.6
// __activemask() names who happens to be here. The source lanes took the other branch.
#include "cuda_try.h"

static __global__ void scan(const int *in, int *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int sum = i < n ? in[i] : 0;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        if (lane >= offset)
            sum += __shfl_up_sync(__activemask(), sum, offset);
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
