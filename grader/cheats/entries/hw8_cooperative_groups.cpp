// task=hw8.4
#include "grader/cheats/call.h"
#include "hw8_cooperative_groups/cooperative_groups.h"

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    const size_t bytes = n * sizeof *in;

    // The virtual GPU times what is a case as well.
    return spoil({in, out, bytes, bytes, FLOATS, n > 65537 && steps > 10, stream,
        [=](const void *from, void *to, cudaStream_t where, double share) {
            return RIGHT(jacobi)((const float *)from, (float *)to, n,
                (unsigned)((double)steps * share), scratch, where);
        }});
}
