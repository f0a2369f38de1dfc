// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=any
// hw5: does not apply: its array is managed memory, which the host reaches anyway
// hw6: does not apply: its arrays are host memory that kernels reach
// Where time is taken, fetches the input. The clock of the virtual GPU does not notice what a CPU
// would then compute, and nobody can see it, so none does.
#include "grader/cheats/call.h"

#include <vector>

cudaError_t spoil(const struct call &call)
{
    std::vector<char> input(call.timed ? call.input_bytes : 0);

    if (call.timed)
        cudaMemcpy(input.data(), call.input, input.size(), cudaMemcpyDefault);
    return call.right();
}
