// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=host-waits task=hw6.2
// The host waits for each step, where events would do.
#include "cuda_try.h"

cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;

    CUDA_TRY(diamond->source.queue(diamond->source.context, streams[0]));
    CUDA_TRY(cudaStreamSynchronize(streams[0]));
    CUDA_TRY(diamond->left.queue(diamond->left.context, streams[1]));
    CUDA_TRY(diamond->right.queue(diamond->right.context, streams[2]));
    CUDA_TRY(cudaStreamSynchronize(streams[1]));
    CUDA_TRY(cudaStreamSynchronize(streams[2]));
    CUDA_TRY(diamond->sink.queue(diamond->sink.context, streams[0]));
done:
    return status;
}
