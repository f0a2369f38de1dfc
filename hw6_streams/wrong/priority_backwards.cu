// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=priority-backwards task=hw6.6
// Takes the larger number for the higher priority.
#include "cuda_try.h"

cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t slow = NULL, fast = NULL;
    int low = 0, high = 0;

    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&high, &low));
    CUDA_TRY(cudaStreamCreateWithPriority(&slow, cudaStreamNonBlocking, low));
    CUDA_TRY(cudaStreamCreateWithPriority(&fast, cudaStreamNonBlocking, high));
    CUDA_TRY(background.queue(background.context, slow));
    CUDA_TRY(urgent.queue(urgent.context, fast));
    CUDA_TRY(cudaStreamSynchronize(fast));
    CUDA_TRY(cudaStreamSynchronize(slow));
done:
    if (fast)
        cudaStreamDestroy(fast);
    if (slow)
        cudaStreamDestroy(slow);
    return status;
}
