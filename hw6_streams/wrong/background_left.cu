// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-waited-for task=hw6.6
// Waits for urgent alone: background goes on after the return.
#include "cuda_try.h"

cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t slow = NULL, fast = NULL;
    int least = 0, greatest = 0;

    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_TRY(cudaStreamCreateWithPriority(&slow, cudaStreamNonBlocking, least));
    CUDA_TRY(cudaStreamCreateWithPriority(&fast, cudaStreamNonBlocking, greatest));
    CUDA_TRY(background.queue(background.context, slow));
    CUDA_TRY(urgent.queue(urgent.context, fast));
    CUDA_TRY(cudaStreamSynchronize(fast));
done:
    if (fast)
        cudaStreamDestroy(fast);
    if (slow)
        cudaStreamDestroy(slow);
    return status;
}
