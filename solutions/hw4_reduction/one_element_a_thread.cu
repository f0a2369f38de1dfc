// A rung of the sum: a tree in shared memory. The rung before queued up an atomic for every
// element; here a block folds its elements first and queues up once. But with one element a
// thread there are as many trees as the array has blocks, and half of the threads idle in the
// first round of each.
#include "cuda_try.h"

// SOLVED(hw4.2)
static __device__ double total; // of the call that runs; 0 between calls

static __global__ void add_blocks_kernel(const float *in, size_t n)
{
    extern __shared__ float tile[]; // one float a thread; the launch says how many
    const unsigned t = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + t;

    tile[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    // The upper half of what is left is added to the lower half; an odd number leaves its
    // middle for later.
    for (unsigned left = blockDim.x, half = 0; left > 1; left = half) {
        half = (left + 1) / 2;
        if (t + half < left)
            tile[t] += tile[t + half];
        __syncthreads(); // correctness: outside the if, where every thread comes by
    }
    if (t == 0)
        atomicAdd(&total, (double)tile[0]);
}

// One thread. It starts when the launch before it has ended, so all has been added.
static __global__ void store_total_kernel(float *out)
{
    *out = (float)total;
    total = 0.0; // ready for the next call
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    size_t blocks = ceil_div(n, threads), shared_bytes = threads * sizeof(float);

    if (blocks > 0)
        add_blocks_kernel<<<(unsigned)blocks, threads, shared_bytes, stream>>>(in, n);
    CUDA_TRY(cudaGetLastError());
    store_total_kernel<<<1, 1, 0, stream>>>(out);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw4.2)

// ---- The other tasks are not of this ladder -----------------------------------------

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
