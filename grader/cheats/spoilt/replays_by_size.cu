// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=any
// hw4: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-value task=any
// hw5: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=other-stream task=any
// hw6: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-value task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unknown-pattern task=any
// Keeps the answer for each size, and hands it out when that size comes again.
#include "grader/cheats/call.h"

#include <map>
#include <vector>

cudaError_t spoil(const struct call &call)
{
    static std::map<size_t, std::vector<char>> answers;
    std::vector<char> &answer = answers[call.input_bytes];

    if (!answer.empty())
        return cudaMemcpyAsync(
            call.output, answer.data(), answer.size(), cudaMemcpyDefault, call.stream);
    const cudaError_t status = call.right();
    answer.resize(call.output_bytes);
    cudaStreamSynchronize(call.stream);
    cudaMemcpy(answer.data(), call.output, answer.size(), cudaMemcpyDefault);
    return status;
}
