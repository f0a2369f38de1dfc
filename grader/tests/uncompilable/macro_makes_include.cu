// A directive that a macro makes. task= line= says=error: a macro makes a directive here, which hides what it does: # include
#define SIGN #
#include "cuda_try.h"
SIGN include "/dev/null"

cudaError_t add_on_gpu(const float *, const float *, float *, size_t)
{
    return cudaSuccess;
}
