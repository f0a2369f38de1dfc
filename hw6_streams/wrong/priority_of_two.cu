// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=priority-unused task=hw6.6
// Thinks that there are two priorities, 0 and -1, as the lecture notes say.
#include "cuda_try.h"

cudaError_t run_urgently(struct stage background, struct stage urgent)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t slow = NULL, fast = NULL;

    CUDA_TRY(cudaStreamCreateWithPriority(&slow, cudaStreamNonBlocking, 0));
    CUDA_TRY(cudaStreamCreateWithPriority(&fast, cudaStreamNonBlocking, -1));
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
