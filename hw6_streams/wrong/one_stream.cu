// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-concurrent task=hw6.2
// Everything in one stream: the order is right, and nothing runs side by side.
#include "cuda_try.h"

cudaError_t run_diamond(const struct diamond *diamond, const cudaStream_t streams[3])
{
    cudaError_t status = cudaSuccess;

    CUDA_TRY(diamond->source.queue(diamond->source.context, streams[0]));
    CUDA_TRY(diamond->left.queue(diamond->left.context, streams[0]));
    CUDA_TRY(diamond->right.queue(diamond->right.context, streams[0]));
    CUDA_TRY(diamond->sink.queue(diamond->sink.context, streams[0]));
done:
    return status;
}
