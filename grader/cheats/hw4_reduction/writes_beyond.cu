// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone|out-of-bounds task=hw4.6
// A right scan that also uses the memory behind the output as if it were its own.
// A right scan; element i also goes to copy[i].
static __global__ void scan(const int *in, int *out, int *copy, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    int sum = 0;

    if (i >= n)
        return;
    for (size_t k = i / 32 * 32; k <= i; k++)
        sum += in[k];
    out[i] = sum;
    if (copy)
        copy[i] = sum;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        scan<<<(unsigned)(n / 256 + 1), 256, 0, stream>>>(in, out, n < 256 ? out + n : NULL, n);
    return cudaGetLastError();
}
