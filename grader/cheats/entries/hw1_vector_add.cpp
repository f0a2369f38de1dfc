// task=hw1.1
#include "grader/cheats/call.h"
#include "hw1_vector_add/vector_add.h"

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    const size_t bytes = span.count * sizeof(float);
    const size_t first = span.first;

    return spoil({a + first, sum + first, bytes, bytes, FLOATS, span.count > 2000000, stream,
        [=](const void *in, void *out, cudaStream_t where, double share) {
            const struct span part = {first, (size_t)((double)span.count * share)};
            return RIGHT(vector_add)(
                (const float *)in - first, b, (float *)out - first, part, threads, where);
        }});
}
