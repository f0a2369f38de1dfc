// task=hw6.1
#include "grader/cheats/call.h"
#include "hw6_streams/streams.h"

cudaError_t pipeline(
    const unsigned *in, unsigned *out, unsigned *buffers, struct pipeline_shape shape)
{
    const size_t bytes = shape.n * sizeof *in;

    return spoil({in, out, bytes, bytes, INTEGERS, shape.rounds > 5 && shape.n > 2000, 0,
        [=](const void *from, void *to, cudaStream_t, double share) {
            const struct pipeline_shape part = {
                (size_t)((double)shape.n * share), shape.chunks, shape.rounds};
            return RIGHT(pipeline)((const unsigned *)from, (unsigned *)to, buffers, part);
        }});
}
