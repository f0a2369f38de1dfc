// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=stream-capture task=any
// Begins to record a graph and never ends it: from then on the grader's own calls are refused.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    cudaStream_t recording;

    const cudaError_t status = call.right();
    cudaStreamSynchronize(call.stream);
    cudaStreamCreate(&recording);
    cudaStreamBeginCapture(recording, cudaStreamCaptureModeGlobal);
    return status;
}
