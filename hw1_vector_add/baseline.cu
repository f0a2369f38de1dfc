// The version that hw1.1 is timed against: right, but every thread works through a stretch
// of the array alone, as a thread of a CPU would.
//
// At any moment the 32 threads of a warp are a whole stretch apart from one another, so one
// load of the warp touches 32 sectors of 32 bytes and uses 4 bytes of each.
#include "cuda_try.h"

static __global__ void add_stretches_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count, size_t stretch)
{
    size_t start = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * stretch;
    for (size_t i = start; i < start + stretch && i < count; i++)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, processors = 0, threads_per_processor = 0;
    size_t workers = 0;
    if (span.count == 0)
        return cudaSuccess;

    // One stretch for every thread that this GPU holds at once.
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaDeviceGetAttribute(
        &threads_per_processor, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    workers = (size_t)processors * threads_per_processor;
    add_stretches_kernel<<<(unsigned)ceil_div(workers, threads), threads, 0, stream>>>(
        a, b, sum, span.first, span.count, ceil_div(span.count, workers));
    status = cudaGetLastError();
done:
    return status;
}
