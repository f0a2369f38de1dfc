// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=narrow-loads task=hw4.2
// Eight loads in flight, so fast enough here, but of 8 bytes: twice as many requests.
#include "cuda_try.h"

static __device__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

static __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float sums[32];
    const size_t rank = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t threads = gridDim.x * (size_t)blockDim.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t head = (size_t)in % 8 != 0 && n > 0, pairs = (n - head) / 2;
    const float2 *body = (const float2 *)(in + head);
    float sum = 0.0f;

    for (size_t first = rank; first < pairs; first += 8 * threads) {
        float2 v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            v[k] = first + k * threads < pairs ? body[first + k * threads] : make_float2(0, 0);
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += v[k].x + v[k].y;
    }
    if (rank < head)
        sum += in[0];
    if (rank == 0 && head + 2 * pairs < n)
        sum += in[n - 1];
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0.0f);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    size_t blocks = ceil_div(n, threads * (size_t)16);
    cudaMemsetAsync(out, 0, sizeof(float), stream);
    if (n > 0)
        reduce<<<(unsigned)(blocks < 1056 ? blocks : 1056), threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
