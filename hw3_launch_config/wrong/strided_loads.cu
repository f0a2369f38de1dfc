// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=four-loads-a-particle task=hw3.4
// Field by field: the lanes of a warp are 16 bytes apart in each of the four loads.
#include "cuda_try.h"

static __global__ void split(const float4 *in, struct columns out, size_t n)
{
    const float *flat = (const float *)in;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        out.x[i] = flat[4 * i];
        out.y[i] = flat[4 * i + 1];
        out.z[i] = flat[4 * i + 2];
        out.mass[i] = flat[4 * i + 3];
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        split<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>((const float4 *)in, out, n);
    return cudaGetLastError();
}
