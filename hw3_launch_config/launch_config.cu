// Homework 3, launch configuration: how many threads, in which blocks, on which bytes.
//
// What each function must do stands in launch_config.h, which the build includes for
// you. A warp is 32 threads that execute one instruction together. That is why it
// matters which of them branch, and which addresses they name in one load.
#include "cuda_try.h"

constexpr unsigned WARP = 32;
constexpr size_t GRID_X_MAX = 2147483647; // blocks; y and z of a grid take 65,535

// ---- A worked example: a branch that costs nothing ----------------------------------

// `in` holds rows of 32 samples, by turns logarithms and square roots; `out` gets the
// numbers themselves. Whether its row is even has one answer for all 32 lanes of a
// warp, so each warp takes one side. Were the samples mixed, `if (i % 2 == 0)`, each
// warp would have lanes on both sides: it would execute one side after the other, half
// of its lanes switched off. That is divergence.
static __global__ void undo_rows_kernel(const float *in, float *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        if (i / WARP % 2 == 0)
            out[i] = expf(in[i]);
        else
            out[i] = in[i] * in[i];
    }
}

cudaError_t undo_rows(const float *in, float *out, size_t n, cudaStream_t stream)
{
    // Whole warps: in a block of 48 threads, every second warp would be half empty.
    const unsigned threads = 8 * WARP;
    const size_t blocks = ceil_div(n, threads);

    if (blocks > GRID_X_MAX)
        return cudaErrorInvalidValue;
    if (blocks > 0)
        undo_rows_kernel<<<(unsigned)blocks, threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}

// ---- hw3.1: any grid for any n ------------------------------------------------------

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    // TODO(hw3.1): a grid-stride loop. About 4 lines.
    //   Given  a grid of any number of blocks, of any size.
    //   Leave  sum[i] = a[i] + b[i] for i = first, first + 1, …, first + count - 1:
    //          each thread begins at its own number and goes on by how many there are.
    //   Mind   there can be 2^32 threads, and `first` can be 4,294,967,289: which
    //          products and sums have to be a size_t?
    // END(hw3.1)
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add_kernel<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    // TODO(hw3.1): the kernel first, then delete one line here.
    return cudaErrorNotYetImplemented; // delete this line once the kernel is written
    return cudaGetLastError();
    // END(hw3.1)
}

// ---- hw3.2: a launch for this GPU ---------------------------------------------------

// TODO(hw3.2): choose a launch, on the host. About 10 lines.
//   Given  the limits of some GPU, and n. The kernel is a grid-stride loop like yours.
//   Leave  launch->threads: whole warps, in blocks with which an SM can hold all the
//          threads it has room for. launch->blocks: as many as the GPU holds at a time,
//          or as n needs if that is less.
//   Mind   2,048, 1,536 or 1,024 threads an SM; at least one block; n can be 2^45, and
//          a block for every 256 elements of that is a number of more than 32 bits.
cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    return cudaErrorNotYetImplemented;
}
// END(hw3.2)

// ---- hw3.3: occupancy by hand -------------------------------------------------------

// TODO(hw3.3): four divisions on the host, and the smallest result. About 30 lines.
//   Given  ceil_div; the limits with their units; what a block needs.
//   Leave  found->blocks, and found->limiter: the first of the enum with that number.
//   Mind   33 threads are two warps. A warp's registers are rounded up to a unit, and
//          come from one scheduler's part. A block's shared bytes and the reserved ones
//          are rounded up together. What is not used at all does not limit.
cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    return cudaErrorNotYetImplemented;
}
// END(hw3.3)

// ---- hw3.4: an array of structures becomes a structure of arrays --------------------

// TODO(hw3.4): a kernel, about 8 lines, and its launch.
//   Leave  the four columns filled; every load and every store of a warp is coalesced.
//   Mind   in[i].x of neighbouring lanes are 16 bytes apart. Either a lane loads all of
//          its particle at once (a float4 is 16 bytes, too), or neighbouring lanes load
//          neighbouring floats and sort them afterwards.
cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented; // the launch; the kernel goes above
}
// END(hw3.4)

// ---- hw3.5: a transpose through a padded tile ---------------------------------------

// TODO(hw3.5): a kernel, about 20 lines, and its launch.
//   Leave  out = the transpose. The lanes of a warp read along a row of `in`, into a
//          tile in shared memory, and after a barrier write along a row of `out`. One
//          of 32 x 32 is fast enough, with several rows a thread.
//   Mind   a column of the tile has to lie in 32 banks; to be inside when reading is
//          not to be inside when writing; sizes that the tile does not divide.
cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw3.5)

// ---- hw3.6 (star): 16 bytes at a time, from anywhere to anywhere --------------------

// TODO(hw3.6): a kernel or two, about 30 lines, and the launch.
//   Leave  to[i] = from[i]: up to 3 floats one by one, until `to` is at a multiple of
//          16 bytes, then a float4 at a time, then up to 3 floats. Where `from` is not
//          at a multiple of 16 at the same time, all floats one by one.
//   Mind   an address is a number, (size_t)to % 16; n may end before a boundary.
cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw3.6)
