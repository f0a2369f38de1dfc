// Global memory is read by cp.async into shared memory wherever 16 bytes of a lane lie together.
#include "cuda_try.h"

#include <cuda_pipeline.h>

static __global__ void add_downwards(const float *a, const float *b, float *sum, size_t n)
{
    const size_t width = gridDim.x * (size_t)blockDim.x;
    size_t rounds = (n + width - 1) / width;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; rounds > 0; rounds--, i += width)
        if (i < n)
            sum[i] = a[i] + b[i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add_downwards<<<launch.blocks, launch.threads, 0, stream>>>(
        a + span.first, b + span.first, sum + span.first, span.count);
    return cudaGetLastError();
}

// Half of the largest blocks, or the next smaller ones that fill an SM.
cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    unsigned threads = gpu->threads_per_block / 2 / 32 * 32;
    while (gpu->threads_per_sm % threads != 0)
        threads -= 32;
    const size_t all = gpu->threads_per_sm / threads * (size_t)gpu->sms;
    const size_t some = n == 0 ? 1 : ceil_div(n, threads);
    *launch = {(unsigned)min(all, some), threads};
    return cudaSuccess;
}

// How many blocks of `each` go into `room`; any number of those that take nothing.
static unsigned times(size_t room, size_t each)
{
    return each == 0 ? 0xffffffff : (unsigned)(room / each);
}

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    const size_t warps = ceil_div(needs->threads, 32);
    const size_t registers =
        ceil_div(32 * (size_t)needs->registers, gpu->register_unit) * gpu->register_unit;
    const size_t bytes =
        ceil_div((size_t)needs->shared_bytes + gpu->shared_reserved, gpu->shared_unit) *
        gpu->shared_unit;
    const bool is_wide = needs->threads > gpu->threads_per_block;
    const bool is_large = needs->shared_bytes > gpu->shared_per_block;

    if (needs->threads == 0)
        return cudaErrorInvalidValue;
    *found = {is_wide ? 0 : times(gpu->threads_per_sm / 32, warps), LIMITED_BY_WARPS};
    if (gpu->blocks_per_sm < found->blocks)
        *found = {gpu->blocks_per_sm, LIMITED_BY_BLOCKS};
    const size_t of_a_part = times(gpu->registers_per_sm / gpu->schedulers, registers);
    if (times(of_a_part * gpu->schedulers, warps) < found->blocks)
        *found = {times(of_a_part * gpu->schedulers, warps), LIMITED_BY_REGISTERS};
    if ((is_large ? 0 : times(gpu->shared_per_sm, bytes)) < found->blocks)
        *found = {is_large ? 0 : times(gpu->shared_per_sm, bytes), LIMITED_BY_SHARED};
    return cudaSuccess;
}

enum : unsigned { THREADS = 256 };

// A thread waits for what it has copied itself, so no barrier is needed.
static __global__ void split_by_copies(const float4 *in, struct columns out, size_t n)
{
    __shared__ float4 stage[THREADS];
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i >= n)
        return;
    __pipeline_memcpy_async(&stage[threadIdx.x], &in[i], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    const float4 particle = stage[threadIdx.x];
    out.x[i] = particle.x, out.y[i] = particle.y, out.z[i] = particle.z, out.mass[i] = particle.w;
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n != 0)
        split_by_copies<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(
            (const float4 *)in, out, n);
    return cudaGetLastError();
}

// The tile lies transposed: written down a column, read along a row.
static __global__ void transpose_tile(const float *in, float *out, struct matrix_shape shape)
{
    __shared__ float turned[32][33];
    const size_t top = blockIdx.y * (size_t)32, left = blockIdx.x * (size_t)32;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float four[4];

#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        four[k] = top + 4 * warp + k < shape.rows && left + lane < shape.columns
                      ? in[(top + 4 * warp + k) * shape.columns + left + lane]
                      : 0.0f;
#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        turned[lane][4 * warp + k] = four[k];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        if (left + 4 * warp + k < shape.columns && top + lane < shape.rows)
            out[(left + 4 * warp + k) * shape.rows + top + lane] = turned[4 * warp + k][lane];
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const dim3 grid((unsigned)ceil_div(shape.columns, 32), (unsigned)ceil_div(shape.rows, 32));
    if (shape.columns > 0 && shape.rows > 0)
        transpose_tile<<<grid, THREADS, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

// Between the boundaries 16 bytes a thread; the floats around them are copied one by one.
static __global__ void copy_by_copies(const float *from, float *to, size_t head, size_t n)
{
    __shared__ float4 stage[THREADS];
    const size_t vectors = (n - head) / 4, me = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (me < vectors) {
        __pipeline_memcpy_async(
            &stage[threadIdx.x], (const float4 *)(from + head) + me, sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        ((float4 *)(to + head))[me] = stage[threadIdx.x];
    }
    if (me < n - 4 * vectors) {
        const size_t at = me < head ? me : me + 4 * vectors;
        to[at] = from[at];
    }
}

static __global__ void copy_apart(const float *from, float *to, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const size_t head = min(n, (16 - (size_t)to % 16) % 16 / sizeof *to);

    if (n == 0)
        return cudaSuccess;
    if (((size_t)from ^ (size_t)to) % 16 == 0)
        copy_by_copies<<<(unsigned)ceil_div(n / 4 + 4, THREADS), THREADS, 0, stream>>>(
            from, to, head, n);
    else
        copy_apart<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(from, to, n);
    return cudaGetLastError();
}
