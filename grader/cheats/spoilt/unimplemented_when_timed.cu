// gpu=NOT ATTEMPTED virtual=NOT ATTEMPTED diagnosis=not-attempted task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-implemented-here task=any
// Says that there is nothing to time yet, in case that costs less than being slow.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    return call.timed ? cudaErrorNotYetImplemented : call.right();
}
