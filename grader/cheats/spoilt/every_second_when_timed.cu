// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-when-timed task=any
// Where time is taken, one call does the work, and the next does none.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    static unsigned timed_calls;

    return call.timed && timed_calls++ % 2 == 1 ? cudaSuccess : call.right();
}
