// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// hw5: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-value task=any
// Works in its first call, and never again: what it left then would be right for the same contents.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    static bool worked;

    if (worked)
        return cudaSuccess;
    worked = true;
    return call.right();
}
