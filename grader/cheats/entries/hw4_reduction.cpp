// task=hw4.2
#include "grader/cheats/call.h"
#include "hw4_reduction/reduction.h"

// The one case beyond two million, which a GPU alone is given
static const size_t long_sum = (1 << 24) + 4096;

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    const bool timed = n > 2000000 && n != long_sum;

    return spoil({in, out, n * sizeof *in, sizeof *out, FLOATS, timed, stream,
        [=](const void *from, void *to, cudaStream_t where, double share) {
            return RIGHT(sum_shuffle)(
                (const float *)from, (float *)to, (size_t)((double)n * share), threads, where);
        }});
}
