// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=error-not-returned task=hw6.2
// What a stage returns is not looked at: where one could not be queued, nobody is told.
#include "cuda_try.h"

cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t event = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    diamond->source.queue(diamond->source.context, streams[0]);
    CUDA_TRY(cudaEventRecord(event, streams[0]));
    CUDA_TRY(cudaStreamWaitEvent(streams[1], event, 0));
    CUDA_TRY(cudaStreamWaitEvent(streams[2], event, 0));
    diamond->left.queue(diamond->left.context, streams[1]);
    diamond->right.queue(diamond->right.context, streams[2]);
    CUDA_TRY(cudaEventRecord(event, streams[1]));
    CUDA_TRY(cudaStreamWaitEvent(streams[0], event, 0));
    CUDA_TRY(cudaEventRecord(event, streams[2]));
    CUDA_TRY(cudaStreamWaitEvent(streams[0], event, 0));
    diamond->sink.queue(diamond->sink.context, streams[0]);
done:
    if (event)
        cudaEventDestroy(event);
    return status;
}
