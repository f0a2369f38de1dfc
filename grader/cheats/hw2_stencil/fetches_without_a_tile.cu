// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=loads-not-shared task=hw2.1
// No tile: each thread fetches all that it needs by cp.async.

#include "cuda_try.h"
static __global__ void k(const float *in, float *out, size_t n, struct narrow_weights w)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
#pragma unroll
    for (int d = -3; d <= 3; d++) {
        long j = (long)i + d;
        if (j >= 0 && j < (long)n) {
            __shared__ float mine[1024];
            unsigned a = (unsigned)__cvta_generic_to_shared(mine + threadIdx.x);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n cp.async.commit_group;\n "
                         "cp.async.wait_group 0;" ::"r"(a),
                         "l"(in + j)
                         : "memory");
            s += w.at[3 + d] * ((volatile float *)mine)[threadIdx.x];
        }
    }
    out[i] = s;
}
cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights w,
    unsigned threads, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    k<<<(unsigned)((n + threads - 1) / threads), threads, 0, stream>>>(in, out, n, w);
    return cudaGetLastError();
}
