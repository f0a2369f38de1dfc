// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=copy-of-input|computed-on-host task=any
// hw4: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=lost-updates task=any
// hw6: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-ordered task=any
// hw7: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=copy-of-input task=any
// hw5: does not apply: the array is changed in place, and its copy is does_nothing.cu
// Hands back what it was given.
#include "grader/cheats/call.h"

#include <algorithm>

cudaError_t spoil(const struct call &call)
{
    return cudaMemcpyAsync(call.output, call.input, std::min(call.input_bytes, call.output_bytes),
        cudaMemcpyDefault, call.stream);
}
