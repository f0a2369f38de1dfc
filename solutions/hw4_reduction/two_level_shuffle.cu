// A rung of the sum: shuffles for the tree. The rung before sent every number of the tree
// through shared memory, with a barrier in every round; here a warp hands registers from lane
// to lane, and one barrier is left. The loop over the array, where the time goes, is as it
// was: do not expect to see a difference.
#include "cuda_try.h"

enum : unsigned {
    WARP = 32,
    ALL_LANES = 0xffffffff, // a mask: bit k stands for lane k of the warp
};

// How many blocks to launch: enough for `wanted`, at least 1, and no more than the device
// holds at once, because the others would only queue.
static cudaError_t choose_blocks(
    const void *kernel, unsigned threads, size_t shared_bytes, size_t wanted, unsigned *blocks)
{
    cudaError_t status = cudaSuccess;
    int device = 0, processors = 0, blocks_each = 0;
    size_t resident = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, kernel, (int)threads, shared_bytes));
    resident = (size_t)processors * (size_t)blocks_each;
    *blocks = wanted == 0 ? 1 : (unsigned)(wanted < resident ? wanted : resident);
done:
    return status;
}

// SOLVED(hw4.2)
// The sum over the lanes of a warp, in lane 0. All 32 must call it.
static __device__ float warp_sum(float value)
{
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL_LANES, value, offset);
    return value;
}

// The sum over the threads of a block, in thread 0. All must call it.
static __device__ float block_sum(float value)
{
    __shared__ float warp_sums[WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    value = warp_sum(value);
    if (lane == 0)
        warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) // the second level: lane k takes the sum of warp k, if there is one
        value = warp_sum(lane < blockDim.x / WARP ? warp_sums[lane] : 0.0f);
    return value;
}

static __global__ void sum_shuffle_kernel(const float *in, float *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    float sum = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)sum_shuffle_kernel;
    unsigned blocks = 0;

    CUDA_TRY(choose_blocks(kernel, threads, 0, ceil_div(n, threads), &blocks));
    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    sum_shuffle_kernel<<<blocks, threads, 0, stream>>>(in, out, n);
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
