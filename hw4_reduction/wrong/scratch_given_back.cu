// gpu=TOO SLOW virtual=TOO SLOW diagnosis=allocates-each-call task=hw4.2
// A sum a block in memory of the stream's pool, which the next synchronisation gives back to the
// device, so every call waits for new memory.
#include "cuda_try.h"

enum : unsigned { WARP = 32, ALL_LANES = 0xffffffff, BLOCKS = 1056, LOADS = 8 };

static __device__ float warp_sum(float value)
{
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL_LANES, value, offset);
    return value;
}

static __device__ float block_sum(float value)
{
    __shared__ float warp_sums[WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    value = warp_sum(value);
    if (lane == 0)
        warp_sums[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < blockDim.x / WARP ? warp_sums[lane] : 0.0f) : 0.0f;
}

static __global__ void sum_a_block(const float *in, float *sums, size_t n)
{
    const size_t rank = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t threads = gridDim.x * (size_t)blockDim.x, vectors = n / 4;
    float sum = rank < n % 4 ? in[4 * vectors + rank] : 0.0f;

#pragma unroll LOADS
    for (size_t i = rank; i < vectors; i += threads) {
        const float4 four = ((const float4 *)in)[i];
        sum += (four.x + four.y) + (four.z + four.w);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

static __global__ void sum_of_sums(const float *sums, unsigned count, float *out)
{
    float sum = 0.0f;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += sums[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const size_t wanted = ceil_div(n, threads * (size_t)(4 * LOADS));
    const unsigned blocks = wanted < 1 ? 1 : wanted < BLOCKS ? (unsigned)wanted : BLOCKS;
    float *sums = NULL;

    CUDA_TRY(cudaMallocAsync((void **)&sums, blocks * sizeof *sums, stream));
    sum_a_block<<<blocks, threads, 0, stream>>>(in, sums, n);
    CUDA_TRY(cudaGetLastError());
    sum_of_sums<<<1, threads, 0, stream>>>(sums, blocks, out);
    CUDA_TRY(cudaGetLastError());
done:
    cudaFreeAsync(sums, stream);
    return status;
}
