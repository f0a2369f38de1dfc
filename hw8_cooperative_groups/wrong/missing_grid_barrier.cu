// gpu=not checked (a race: right or wrong by luck) virtual=RACE diagnosis=global-race task=hw8.5
// The blocks before this one are taken to have counted already: only this block has waited.
#include "cuda_try.h"

static __global__ void compact_kernel(
    const int *in, int *out, unsigned *count, size_t n, size_t each, unsigned *kept_by_block)
{
    __shared__ unsigned starts[257];
    const size_t chunk = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t begin = min(n, chunk * each), end = min(n, begin + each);
    unsigned kept = 0;

    for (size_t i = begin; i < end; i++)
        kept += in[i] > 0;
    starts[threadIdx.x + 1] = kept;
    __syncthreads();
    if (threadIdx.x == 0) {
        starts[0] = 0;
        for (unsigned t = 1; t <= blockDim.x; t++)
            starts[t] += starts[t - 1];
        kept_by_block[blockIdx.x] = starts[blockDim.x];
    }
    __syncthreads(); // of this block only
    unsigned at = starts[threadIdx.x];
    for (unsigned b = 0; b < blockIdx.x; b++)
        at += kept_by_block[b];
    for (size_t i = begin; i < end; i++)
        if (in[i] > 0)
            out[at++] = in[i];
    if (chunk + 1 == gridDim.x * (size_t)blockDim.x)
        *count = at;
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0;
    size_t each = 0;
    void *arguments[] = {&in, &out, &count, &n, &each, &scratch};

    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    each = ceil_div(n, (size_t)processors * 256);
    CUDA_TRY(cudaLaunchCooperativeKernel(
        (const void *)compact_kernel, (unsigned)processors, 256, arguments, 0, stream));
done:
    return status;
}
