// gpu=LEAK virtual=LEAK diagnosis=leak task=any
// Right, and never frees what it might have kept answers in.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    void *kept;

    cudaMalloc(&kept, 1 << 10);
    return call.right();
}
