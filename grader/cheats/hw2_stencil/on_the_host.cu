// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw2.1
// Fetches the array, adds on the CPU, and sends the sums back; a kernel is launched for show.
#include <stdlib.h>

#include "cuda_try.h"

static __global__ void nothing()
{
}

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    float *x = (float *)calloc(n + 2 * NARROW_RADIUS, sizeof(float));
    float *sums = (float *)malloc(n * sizeof(float) + 1);

    cudaMemcpy(x + NARROW_RADIUS, in, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++) {
        sums[i] = 0;
        for (int k = 0; k <= 2 * NARROW_RADIUS; k++)
            sums[i] += weights.at[k] * x[i + k];
    }
    cudaMemcpy(out, sums, n * sizeof(float), cudaMemcpyHostToDevice);
    free(x);
    free(sums);
    nothing<<<1, threads, 0, stream>>>();
    return cudaGetLastError();
}
