// A directive that a macro makes. task= line= says=a macro makes a directive here, which hides what it does: # undef
#include "cuda_try.h"

cudaError_t add_on_gpu(const float *, const float *, float *, size_t)
{
    return cudaSuccess;
}

#define SIGN #
SIGN undef OTHERS
