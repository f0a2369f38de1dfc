// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-zero task=any
// hw2: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=weights-stale task=any
// Clears the output: of numbers of both signs, zero is the likeliest sum.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    return cudaMemsetAsync(call.output, 0, call.output_bytes, call.stream);
}
