// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=branch-not-awaited task=hw6.2
// One event is recorded behind left, and again behind right, before anybody waits: it stands for
// right alone.
#include "cuda_try.h"

cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t done_before = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&done_before, cudaEventDisableTiming));
    CUDA_TRY(diamond->source.queue(diamond->source.context, streams[0]));
    CUDA_TRY(cudaEventRecord(done_before, streams[0]));
    CUDA_TRY(cudaStreamWaitEvent(streams[1], done_before, 0));
    CUDA_TRY(cudaStreamWaitEvent(streams[2], done_before, 0));
    CUDA_TRY(diamond->left.queue(diamond->left.context, streams[1]));
    CUDA_TRY(diamond->right.queue(diamond->right.context, streams[2]));
    CUDA_TRY(cudaEventRecord(done_before, streams[1]));
    CUDA_TRY(cudaEventRecord(done_before, streams[2]));
    CUDA_TRY(cudaStreamWaitEvent(streams[0], done_before, 0));
    CUDA_TRY(diamond->sink.queue(diamond->sink.context, streams[0]));
done:
    if (done_before)
        cudaEventDestroy(done_before);
    return status;
}
