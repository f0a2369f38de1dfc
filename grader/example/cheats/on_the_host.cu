// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw9.1
// Counts on the host, and copies the counts over.
#include <stdlib.h>

cudaError_t histogram(const unsigned *values, unsigned *counts, size_t n, cudaStream_t stream)
{
    unsigned made[BINS] = {0};
    unsigned *copy = (unsigned *)malloc((n + 1) * sizeof *copy);
    cudaError_t status = copy ? cudaSuccess : cudaErrorMemoryAllocation;

    if (status == cudaSuccess)
        status = cudaMemcpy(copy, values, n * sizeof *copy, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n && status == cudaSuccess; i++)
        made[copy[i] % BINS]++;
    if (status == cudaSuccess)
        status = cudaMemcpy(counts, made, sizeof made, cudaMemcpyHostToDevice);
    free(copy);
    return status;
}
