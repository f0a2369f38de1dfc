// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=uncoalesced task=hw3.4
// Strided, but by atomics that add 0: they are no loads, so no load is uncoalesced.
static __global__ void split(float *in, struct columns out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        out.x[i] = __int_as_float(atomicOr((int *)in + 4 * i, 0));
        out.y[i] = __int_as_float(atomicOr((int *)in + 4 * i + 1, 0));
        out.z[i] = __int_as_float(atomicOr((int *)in + 4 * i + 2, 0));
        out.mass[i] = __int_as_float(atomicOr((int *)in + 4 * i + 3, 0));
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        split<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>((float *)in, out, n);
    return cudaGetLastError();
}
