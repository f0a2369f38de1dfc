// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=order-lost task=hw8.5
// Each block reserves its places when it comes by, so blocks stand in the order of their arrival.
#include "cuda_try.h"

static __global__ void compact_kernel(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned warp_starts[9];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // The last block first: what luck makes rare is the rule here.
    const size_t tile = gridDim.x - 1 - blockIdx.x, i = tile * blockDim.x + threadIdx.x;
    const int item = i < n ? in[i] : 0;
    const unsigned keepers = __ballot_sync(0xffffffff, item > 0);

    if (lane == 0)
        warp_starts[warp] = __popc(keepers);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned w = 0; w < blockDim.x / 32; w++) {
            const unsigned kept = warp_starts[w];
            warp_starts[w] = total;
            total += kept;
        }
        warp_starts[8] = atomicAdd(count, total);
    }
    __syncthreads();
    if (item > 0)
        out[warp_starts[8] + warp_starts[warp] + __popc(keepers & ((1u << lane) - 1))] = item;
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = 256;

    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (n > 0)
        compact_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(in, out, count, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
