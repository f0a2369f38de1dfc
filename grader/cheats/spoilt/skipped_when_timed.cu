// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-when-timed task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// Right for every size that a host can check, and does nothing where time is taken.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    return call.timed ? cudaSuccess : call.right();
}
