// task=hw7.1
#include "grader/cheats/call.h"
#include "hw7_profiling/profiling.h"

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t bytes = shape.sets * shape.length * sizeof(float);

    return spoil({in, out, bytes * shape.vectors, bytes, FLOATS,
        shape.sets * shape.length * shape.vectors > 2000000, stream,
        [=](const void *from, void *to, cudaStream_t where, double share) {
            const struct sets_shape part = {
                (size_t)((double)shape.sets * share), shape.vectors, shape.length};
            return RIGHT(average_sets)((const float *)from, (float *)to, part, where);
        }});
}
