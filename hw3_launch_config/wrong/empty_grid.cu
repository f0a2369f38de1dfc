// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=empty-grid task=hw3.4
// With no particles the grid has no blocks.
#include "cuda_try.h"

static __global__ void split(const float4 *in, struct columns out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        const float4 p = in[i];
        out.x[i] = p.x, out.y[i] = p.y, out.z[i] = p.z, out.mass[i] = p.w;
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (true)
        split<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>((const float4 *)in, out, n);
    return cudaGetLastError();
}
