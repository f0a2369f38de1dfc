// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-when-timed task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// Where time is taken, the work of a call is done in the next one.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    static std::function<cudaError_t()> waiting;
    cudaError_t status = cudaSuccess;

    if (!call.timed)
        return call.right();
    if (waiting)
        status = waiting();
    waiting = [call] { return call.right(); };
    return status;
}
