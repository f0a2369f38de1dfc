// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=source-not-awaited task=hw6.2
// left and right wait for an event that is only recorded later: that waits for nothing.
#include "cuda_try.h"

cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t source = NULL, left = NULL, right = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&source, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&left, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&right, cudaEventDisableTiming));
    CUDA_TRY(cudaStreamWaitEvent(streams[1], source, 0));
    CUDA_TRY(cudaStreamWaitEvent(streams[2], source, 0));
    CUDA_TRY(diamond->source.queue(diamond->source.context, streams[0]));
    CUDA_TRY(cudaEventRecord(source, streams[0]));
    CUDA_TRY(diamond->left.queue(diamond->left.context, streams[1]));
    CUDA_TRY(cudaEventRecord(left, streams[1]));
    CUDA_TRY(diamond->right.queue(diamond->right.context, streams[2]));
    CUDA_TRY(cudaEventRecord(right, streams[2]));
    CUDA_TRY(cudaStreamWaitEvent(streams[0], left, 0));
    CUDA_TRY(cudaStreamWaitEvent(streams[0], right, 0));
    CUDA_TRY(diamond->sink.queue(diamond->sink.context, streams[0]));
done:
    if (source)
        cudaEventDestroy(source);
    if (left)
        cudaEventDestroy(left);
    if (right)
        cudaEventDestroy(right);
    return status;
}
