// task=hw2.2
#include "grader/cheats/call.h"
#include "hw2_stencil/stencil.h"

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    const size_t bytes = n * sizeof(float);

    return spoil({in, out, bytes, bytes, FLOATS, n > 1500000, stream,
        [=](const void *from, void *to, cudaStream_t where, double share) {
            return RIGHT(stencil_window)(
                (const float *)from, (float *)to, (size_t)((double)n * share), weights, where);
        }});
}
