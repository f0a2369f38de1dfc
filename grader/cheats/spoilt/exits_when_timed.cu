// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// Right, and gone with success as soon as time is taken.
#include "grader/cheats/call.h"

#include <unistd.h>

cudaError_t spoil(const struct call &call)
{
    if (call.timed)
        _exit(0);
    return call.right();
}
