// Homework 2, shared memory: read an element once and use it many times.
//
// What each function must do stands in stencil.h, which the build includes for you.
// The threads of a block share a tile of memory; a thread has registers to itself; and
// what all threads read at the same time, but never write, is constant memory.
#include "cuda_try.h"

// ---- A worked example: mirror every block's part, times a gain ----------------------

// One number for all threads of a launch: constant memory, written from the host.
static __constant__ float gain_of_all;

static __global__ void mirror_blocks_kernel(const float *in, float *out, size_t n)
{
    // One array for each block, with the block's lifetime. How long it is says the
    // launch; with a constant between the brackets it would be fixed here.
    extern __shared__ float tile[];
    const size_t first = blockIdx.x * (size_t)blockDim.x; // of the block's elements
    const unsigned t = threadIdx.x;
    const size_t count = min(n - first, (size_t)blockDim.x); // of the block's elements

    if (t < count)
        tile[t] = in[first + t];
    // correctness: below, a thread reads what another has stored. The barrier makes that
    // read come after the write, and all threads of the block must reach it: it stands
    // outside of the if, and nobody returns before it.
    __syncthreads();
    if (t < count)
        out[first + t] = gain_of_all * tile[count - 1 - t];
}

cudaError_t mirror_blocks(
    const float *in, float *out, size_t n, float gain, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const size_t shared_bytes = threads * sizeof(float); // bytes, not elements

    if (n == 0)
        return cudaSuccess;
    // The variable itself is named, not its address. The copy waits for its turn on the
    // stream; what is copied is fetched before the call returns.
    CUDA_TRY(cudaMemcpyToSymbolAsync(
        gain_of_all, &gain, sizeof gain, 0, cudaMemcpyHostToDevice, stream));
    mirror_blocks_kernel<<<(unsigned)ceil_div(n, threads), threads, shared_bytes, stream>>>(
        in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw2.1: a tile with halos -------------------------------------------------------

// TODO(hw2.1): a kernel, about 20 lines, and its launch, about 10.
//   Given  gain_of_all above: a struct can be a __constant__ variable in the same way.
//   Leave  out[i] for every i < n, one output a thread. A block needs its own part of in
//          and a halo of NARROW_RADIUS elements on either side: all of it goes into a
//          tile once, zeros where the array has no element, and is read there 7 times.
//   Mind   threads + 2 * NARROW_RADIUS floats, in bytes; a block of 1 thread has halos of
//          3; threads past n have cells to fill; an unsigned index does not go below 0.
cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented; // the launch; the kernel goes above
}
// END(hw2.1)

// ---- hw2.2: a window of registers ---------------------------------------------------

// TODO(hw2.2): a kernel, about 35 lines, and its launch, about 8.
//   Given  in and out begin on a 16-byte boundary; a struct may be a kernel's argument,
//          and arguments lie in constant memory.
//   Leave  out[i] for every i < n. A thread loads the OUTPUTS + 2 * RADIUS elements that
//          OUTPUTS neighbouring outputs need into an array of its own, four at a time,
//          and then makes all the sums. RADIUS and OUTPUTS are template parameters.
//   Mind   registers have no index at run time: every loop over that array must be
//          unrolled; both ends of in, where four elements at a time may not exist.
cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw2.2)

// ---- hw2.3: a matrix product through tiles ------------------------------------------

// TODO(hw2.3): a kernel, about 25 lines, and its launch, about 8.
//   Given  your multiply of hw1.3, in which each thread reads a row of A and a column of B.
//   Leave  C = A B. A block of TILE x TILE threads makes as many elements of C, and goes
//          along inner in steps of TILE: load a tile of A and one of B, an element each a
//          thread; add up TILE products from them; next step.
//   Mind   cells outside of A or B; threads outside of C, which have cells to load; the
//          next step must not overwrite what another thread still reads.
cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw2.3)
