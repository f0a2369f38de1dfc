// gpu=RACE virtual=RACE diagnosis=stream-race task=any
// hw5: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-value/read-too-early|wrong-value task=any
// hw6: does not apply: pipeline() is given no stream, and complete when it returns
// Right, but in a stream of its own, which nobody waits for.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    static cudaStream_t own;

    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    return call.work(call.input, call.output, own, 1.0);
}
