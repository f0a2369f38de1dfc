// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=four-loads-a-particle task=hw3.4
// Copies a struct of four floats, for which nvcc loads each of them.
#include "cuda_try.h"

static __global__ void split(const struct particle *in, struct columns out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        struct particle p = in[i];
        out.x[i] = p.x;
        out.y[i] = p.y;
        out.z[i] = p.z;
        out.mass[i] = p.mass;
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        split<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
