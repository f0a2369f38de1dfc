/* What every lesson's .cu file may use: one check macro and one division.
 *
 *     cudaError_t status = cudaSuccess;
 *     float *d_a = NULL;
 *     CUDA_TRY(cudaMalloc(&d_a, bytes));     // on an error: status = it, and on to done
 *     …
 * done:
 *     cudaFree(d_a);                         // freeing NULL is legal
 *     return status;
 */
#ifndef CUDA_TRY_H
#define CUDA_TRY_H

#include <stddef.h>

/* Evaluates a CUDA call once, keeps its error in `status`, and leaves for `done:` if it failed.
 * Declare every variable above the first CUDA_TRY: C++ forbids a jump over an initialisation. */
#define CUDA_TRY(call)             \
    do {                           \
        status = (call);           \
        if (status != cudaSuccess) \
            goto done;             \
    } while (0)

#ifdef __CUDACC__
#define HOST_AND_DEVICE __host__ __device__
#else
#define HOST_AND_DEVICE
#endif

/* How many chunks of `size` cover `n` elements: 0 for n = 0. Kernels may call it as well. */
HOST_AND_DEVICE static inline size_t ceil_div(size_t n, size_t size)
{
    return n / size + (n % size != 0);
}

#undef HOST_AND_DEVICE

#endif
