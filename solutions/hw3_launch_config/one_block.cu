// One block adds everything, and the others return: right under every launch, and the first
// thing that works with any n. All but one of the GPU's SMs have nothing to do.
#include "cuda_try.h"

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    // SOLVED(hw3.1)
    if (blockIdx.x > 0)
        return;
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        sum[first + i] = a[first + i] + b[first + i];
    // END(hw3.1)
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add_kernel<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}

// ---- the other tasks ----------------------------------------------------------------

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
