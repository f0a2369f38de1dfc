// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-nan task=any
// NaN, which no careless comparison finds to be wrong; of integers the same bits.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    return cudaMemsetAsync(call.output, 0xff, call.output_bytes, call.stream);
}
