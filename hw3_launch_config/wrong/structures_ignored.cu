// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=structures-ignored task=hw3.4
// Copies as if the particles were stored in columns already.
#include "cuda_try.h"

static __global__ void split(const float4 *in, struct columns out, size_t n)
{
    const float *flat = (const float *)in;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        out.x[i] = flat[i];
        out.y[i] = flat[n + i];
        out.z[i] = flat[2 * n + i];
        out.mass[i] = flat[3 * n + i];
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        split<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>((const float4 *)in, out, n);
    return cudaGetLastError();
}
