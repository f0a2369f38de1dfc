// task=hw4.2
#include "grader/cheats/call.h"
#include "hw4_reduction/reduction.h"

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return spoil({in, out, n * sizeof *in, sizeof *out, FLOATS, n > 2000000, stream,
        [=](const void *from, void *to, cudaStream_t where, double share) {
            return RIGHT(sum_shuffle)(
                (const float *)from, (float *)to, (size_t)((double)n * share), threads, where);
        }});
}
