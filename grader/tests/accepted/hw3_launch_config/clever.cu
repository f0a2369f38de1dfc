// Several loads in flight wherever they fit, a swizzled tile instead of a padded one, lanes that
// sort themselves out by their number.
#include "cuda_try.h"

static __global__ void add_four_at_a_time(const float *a, const float *b, float *sum, size_t n)
{
    const size_t all = gridDim.x * (size_t)blockDim.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    for (; n > 3 * all && i < n - 3 * all; i += 4 * all) {
        float x[4], y[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            x[k] = a[i + k * all], y[k] = b[i + k * all];
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum[i + k * all] = x[k] + y[k];
    }
    for (; i < n; i += all)
        sum[i] = a[i] + b[i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add_four_at_a_time<<<launch.blocks, launch.threads, 0, stream>>>(
        a + span.first, b + span.first, sum + span.first, span.count);
    return cudaGetLastError();
}

// The largest block whose multiple is an SM; for small n, 4 elements a thread.
cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    const size_t room = gpu->sms * (size_t)gpu->threads_per_sm;
    unsigned threads = 1024;

    while (threads > gpu->threads_per_block || gpu->threads_per_sm % threads != 0)
        threads /= 2;
    if (n >= 4 * room)
        *launch = {(unsigned)(room / threads), threads};
    else
        *launch = {(unsigned)ceil_div(n, 4 * threads) + (n == 0), threads};
    return cudaSuccess;
}

static size_t rounded(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    if (needs->threads == 0)
        return cudaErrorInvalidValue;
    const size_t warps = ceil_div(needs->threads, 32);
    const size_t a_warp = rounded(32 * (size_t)needs->registers, gpu->register_unit);
    const size_t bytes =
        rounded((size_t)needs->shared_bytes + gpu->shared_reserved, gpu->shared_unit);
    const bool too_wide = needs->threads > gpu->threads_per_block;
    const bool too_large = needs->shared_bytes > gpu->shared_per_block;
    const struct residency all[] = {
        {too_wide ? 0 : (unsigned)(gpu->threads_per_sm / (32 * warps)), LIMITED_BY_WARPS},
        {gpu->blocks_per_sm, LIMITED_BY_BLOCKS},
        {a_warp == 0 ? 999
                     : (unsigned)(gpu->schedulers *
                                  (gpu->registers_per_sm / gpu->schedulers / a_warp) / warps),
            LIMITED_BY_REGISTERS},
        {too_large       ? 0
            : bytes == 0 ? 999
                         : (unsigned)(gpu->shared_per_sm / bytes),
            LIMITED_BY_SHARED},
    };
    *found = all[0];
    for (const struct residency &one : all)
        if (one.blocks < found->blocks)
            *found = one;
    return cudaSuccess;
}

// A float a lane: 8 lanes of a warp write 8 neighbours of the same column.
static __global__ void split_by_lane(const float *in, struct columns out, size_t n)
{
    const size_t all = gridDim.x * (size_t)blockDim.x;
    const unsigned field = threadIdx.x % 4;
    float *column = field == 0 ? out.x : field == 1 ? out.y : field == 2 ? out.z : out.mass;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < 4 * n; i += all)
        column[i / 4] = in[i];
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    const size_t blocks = ceil_div(4 * n, 512);
    if (blocks > 0)
        split_by_lane<<<(unsigned)(blocks < 4096 ? blocks : 4096), 512, 0, stream>>>(
            (const float *)in, out, n);
    return cudaGetLastError();
}

// tile[r][c ^ r]: a row and a column both lie in 32 different banks, and nothing is wasted.
static __global__ void transpose_swizzled(const float *in, float *out, struct matrix_shape s)
{
    __shared__ float tile[32][32];
    const unsigned x = threadIdx.x;
    const size_t row = blockIdx.y * (size_t)32, column = blockIdx.x * (size_t)32;

#pragma unroll
    for (unsigned y = threadIdx.y, k = 0; k < 4; k++, y += 8)
        if (row + y < s.rows && column + x < s.columns)
            tile[y][x ^ y] = in[(row + y) * s.columns + column + x];
    __syncthreads();
#pragma unroll
    for (unsigned y = threadIdx.y, k = 0; k < 4; k++, y += 8)
        if (column + y < s.columns && row + x < s.rows)
            out[(column + y) * s.rows + row + x] = tile[x][y ^ x];
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const dim3 grid((unsigned)ceil_div(shape.columns, 32), (unsigned)ceil_div(shape.rows, 32));
    if (grid.x > 0 && grid.y > 0)
        transpose_swizzled<<<grid, dim3(32, 8), 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

template <class T> static __global__ void copy_as(const float *from, float *to, size_t n)
{
    constexpr size_t WIDTH = sizeof(T) / sizeof(float);
    const size_t all = gridDim.x * (size_t)blockDim.x;
    const size_t me = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t head = (sizeof(T) - (size_t)to % sizeof(T)) % sizeof(T) / sizeof(float);
    head = head < n ? head : n;
    const size_t body = (n - head) / WIDTH;
    const T *source = (const T *)(from + head);
    T *target = (T *)(to + head);

    size_t i = me;
    for (; i + 3 * all < body; i += 4 * all) {
        const T v0 = source[i], v1 = source[i + all], v2 = source[i + 2 * all];
        const T v3 = source[i + 3 * all];
        target[i] = v0, target[i + all] = v1, target[i + 2 * all] = v2;
        target[i + 3 * all] = v3;
    }
    for (; i < body; i += all)
        target[i] = source[i];
    for (i = me; i < n - body * WIDTH; i += all) {
        const size_t at = i < head ? i : i + body * WIDTH;
        to[at] = from[at];
    }
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const size_t apart = ((size_t)from - (size_t)to) % 16;
    const size_t blocks = ceil_div(n, 256 * 4); // a vector a thread, or four floats
    const unsigned grid = (unsigned)(blocks < 1u << 30 ? blocks : 1u << 30);

    if (n == 0)
        return cudaSuccess;
    if (apart == 0)
        copy_as<float4><<<grid, 256, 0, stream>>>(from, to, n);
    else if (apart == 8)
        copy_as<float2><<<grid, 256, 0, stream>>>(from, to, n);
    else
        copy_as<float><<<grid, 256, 0, stream>>>(from, to, n);
    return cudaGetLastError();
}
