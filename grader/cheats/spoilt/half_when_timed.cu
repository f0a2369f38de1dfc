// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-when-timed task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unknown-pattern task=any
// Does half of the work where time is taken.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    return call.work(call.input, call.output, call.stream, call.timed ? 0.5 : 1.0);
}
