// Rung: prefetch, a piece at a time. The rungs before wait for faults. Here the pages move before
// the kernel needs them, in 32 pieces, each followed by its own launch: of 64 MiB a piece is 2 MiB.
// Nothing faults; but each prefetch is a call of the driver, and the link rests between two pieces.
// On an H200 a call costs more than the 2 MiB that it moves.
#include "cuda_managed.h"
#include "cuda_try.h"

enum : unsigned {
    THREADS = 256, // of a block
    BLOCKS_MAX = 1 << 20,
};

static unsigned blocks_for(size_t n)
{
    size_t blocks = ceil_div(n, THREADS);
    return blocks < BLOCKS_MAX ? (unsigned)blocks : BLOCKS_MAX;
}

// Given: the kernel, in every rung.
static __global__ void increment_kernel(int *data, size_t n, int amount)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        data[i] += amount;
}

// SOLVED(hw5.2)
cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    const size_t piece = ceil_div(n, 32);
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    for (size_t first = 0; first < n; first += piece) {
        size_t count = min(piece, n - first);

        if (concurrent)
            CUDA_TRY(managed_prefetch(data + first, count * sizeof *data, device, stream));
        increment_kernel<<<blocks_for(count), THREADS, 0, stream>>>(data + first, count, amount);
        CUDA_TRY(cudaGetLastError());
    }
done:
    return status;
}
// END(hw5.2)

// Given: the way back, which is not timed.
cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;

    *sum = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (concurrent && n > 0)
        CUDA_TRY(managed_prefetch(data, n * sizeof *data, cudaCpuDeviceId, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < n; i++)
        *sum += data[i];
done:
    return status;
}

// ---- the other tasks are not this rung's --------------------------------------------

cudaError_t list_make(const int *, size_t, struct node **)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t copy_by_hand(const struct record *, size_t, struct record **)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t text_make(const char *, struct Text **)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t count_together(unsigned *, size_t, size_t)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t advise(const struct shared_arrays *, int)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t breadth_first(struct vertex *, size_t, struct vertex *)
{
    return cudaErrorNotYetImplemented;
}
