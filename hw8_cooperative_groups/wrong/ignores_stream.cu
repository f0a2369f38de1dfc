// gpu=RACE virtual=RACE diagnosis=other-stream task=hw8.4
// The last argument of the cooperative launch is left at its 0: the default stream.
#include "cuda_try.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct edges {
    float first, last;
};

static __global__ void jacobi_kernel(
    const float *in, float *out, size_t n, unsigned cells_each, unsigned steps, struct edges *halos)
{
    extern __shared__ float memory[];

    cg::grid_group grid = cg::this_grid();
    const unsigned rank = threadIdx.x, threads = blockDim.x;
    const size_t first = blockIdx.x * (size_t)cells_each;
    const unsigned count = (unsigned)min((size_t)cells_each, n - first);
    const unsigned begin = blockIdx.x == 0, end = count - (blockIdx.x + 1 == gridDim.x);
    float *now = memory + 1, *next = now + cells_each + 2;

    for (unsigned i = rank; i < count; i += threads)
        now[i] = next[i] = in[first + i];
    for (unsigned step = 0; step < steps; step++) {
        __syncthreads();
        if (rank == 0)
            halos[step % 2 * gridDim.x + blockIdx.x] = {now[0], now[count - 1]};
        grid.sync();
        if (rank == 0) {
            const struct edges *shown = halos + step % 2 * gridDim.x;
            now[-1] = blockIdx.x > 0 ? shown[blockIdx.x - 1].last : 0;
            now[count] = blockIdx.x + 1 < gridDim.x ? shown[blockIdx.x + 1].first : 0;
        }
        __syncthreads();
        for (unsigned i = begin + rank; i < end; i += threads)
            next[i] = 0.5f * (now[(int)i - 1] + now[i + 1]);
        float *other = now;
        now = next;
        next = other;
    }
    __syncthreads();
    for (unsigned i = rank; i < count; i += threads)
        out[first + i] = now[i];
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)jacobi_kernel;
    const unsigned threads = 512;
    struct edges *halos = (struct edges *)scratch;
    int device = 0, supported = 0, processors = 0, blocks_each = 0;
    size_t blocks = 0, shared_bytes = 0;
    unsigned cells_each = 0;
    void *arguments[] = {&in, &out, &n, &cells_each, &steps, &halos};

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    if (!supported)
        return cudaErrorNotSupported;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    blocks = max(min(ceil_div(n, 32), (size_t)processors), (size_t)1);
    cells_each = (unsigned)ceil_div(n, blocks);
    blocks = ceil_div(n, max(cells_each, 1u));
    shared_bytes = 2 * (cells_each + 2) * sizeof(float);
    CUDA_TRY(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, kernel, (int)threads, shared_bytes));
    if (blocks > (size_t)processors * (size_t)blocks_each)
        return cudaErrorCooperativeLaunchTooLarge;
    CUDA_TRY(
        cudaLaunchCooperativeKernel(kernel, (unsigned)blocks, threads, arguments, shared_bytes, 0));
done:
    return status;
}
