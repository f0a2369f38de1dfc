// task=hw3.5
#include "grader/cheats/call.h"
#include "hw3_launch_config/launch_config.h"

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const size_t bytes = shape.rows * shape.columns * sizeof(float);

    return spoil({in, out, bytes, bytes, FLOATS, bytes > 4000000, stream,
        [=](const void *from, void *to, cudaStream_t where, double share) {
            const struct matrix_shape part = {(size_t)((double)shape.rows * share), shape.columns};
            return RIGHT(transpose)((const float *)from, (float *)to, part, where);
        }});
}
