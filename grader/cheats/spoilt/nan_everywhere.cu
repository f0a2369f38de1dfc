// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-nan task=any
// hw4: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-cleared task=any
// hw5: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-same task=any
// hw6: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-same task=any
// NaN, which no careless comparison finds to be wrong; of integers the same bits.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    return cudaMemsetAsync(call.output, 0xff, call.output_bytes, call.stream);
}
