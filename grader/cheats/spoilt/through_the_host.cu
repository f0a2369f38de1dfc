// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=any
// hw6: does not apply: its output is host memory; hw6_streams/on_the_host.cu writes it
// The host puts the answer where it belongs, with a launch for show. Whether a CPU computed it
// cannot be seen, so none does.
#include "grader/cheats/call.h"

#include <vector>

static __global__ void pretend()
{
}

cudaError_t spoil(const struct call &call)
{
    std::vector<char> input(call.input_bytes), output(call.output_bytes);

    cudaMemcpy(input.data(), call.input, input.size(), cudaMemcpyDefault);
    const cudaError_t status = call.right();
    cudaStreamSynchronize(call.stream);
    cudaMemcpy(output.data(), call.output, output.size(), cudaMemcpyDefault);
    pretend<<<1, 1, 0, call.stream>>>();
    cudaStreamSynchronize(call.stream);
    cudaMemcpy(call.output, output.data(), output.size(), cudaMemcpyDefault);
    return status;
}
