// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=fields-exchanged task=hw3.4
// Takes the w of a float4 for its first field.
#include "cuda_try.h"

static __global__ void split(const float4 *in, struct columns out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        const float4 p = in[i];
        out.x[i] = p.w;
        out.y[i] = p.x;
        out.z[i] = p.y;
        out.mass[i] = p.z;
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        split<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>((const float4 *)in, out, n);
    return cudaGetLastError();
}
