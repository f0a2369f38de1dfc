// A launch instead of an atomic wherever the contract allows it: blocks leave their results
// in memory, and the next launch, which waits for all of them, goes on from there.
#include "cuda_try.h"

enum { BLOCKS = 1024, PARTS_MAX = 1 << 20 };

static __device__ float sums_of_blocks[4 * BLOCKS];
static __device__ unsigned counts_of_blocks[PARTS_MAX + 1];

static __device__ float warp_total(float x)
{
    for (int d = 1; d < 32; d *= 2)
        x += __shfl_xor_sync(0xffffffff, x, d);
    return x;
}

static __global__ void tree(const float *in, size_t n)
{
    extern __shared__ float tile[];
    const unsigned t = threadIdx.x;
    float even = 0.0f, odd = 0.0f;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + t;

    for (; i + step < n; i += 2 * step) {
        even += in[i];
        odd += in[i + step];
    }
    tile[t] = even + odd + (i < n ? in[i] : 0.0f);
    __syncthreads();
    // What the largest power of two below the block leaves over is folded in first.
    unsigned power = 1;
    while (2 * power <= blockDim.x)
        power *= 2;
    if (t + power < blockDim.x)
        tile[t] += tile[t + power];
    __syncthreads();
    for (unsigned s = power / 2; s > 0; s /= 2) {
        if (t < s)
            tile[t] += tile[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums_of_blocks[blockIdx.x] = tile[0];
}

static __global__ void finish(float *out, unsigned blocks)
{
    float sum = 0.0f;
    for (unsigned b = threadIdx.x; b < blocks; b += 32)
        sum += sums_of_blocks[b];
    sum = warp_total(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    unsigned blocks = threads < 128 ? 4 * BLOCKS : BLOCKS;
    tree<<<blocks, threads, threads * sizeof(float), stream>>>(in, n);
    finish<<<1, 32, 0, stream>>>(out, blocks);
    return cudaGetLastError();
}

static __global__ void shuffle(const float *in, size_t n)
{
    __shared__ float of_warp[32];
    const float4 *in4 = (const float4 *)in;
    const size_t vectors = n / 4, tile = 4 * (size_t)blockDim.x;
    float sum = 0.0f;

    // A block reads a contiguous tile of four vectors a thread, then the next of its tiles.
    for (size_t first = blockIdx.x * tile; first < vectors; first += gridDim.x * tile) {
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            size_t i = first + k * blockDim.x + threadIdx.x;
            v[k] = i < vectors ? __ldg(in4 + i) : make_float4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < n % 4)
        sum += in[4 * vectors + threadIdx.x];
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_total(threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0)
            sums_of_blocks[blockIdx.x] = sum;
    }
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    shuffle<<<BLOCKS, threads, 0, stream>>>(in, n);
    finish<<<1, 32, 0, stream>>>(out, BLOCKS);
    return cudaGetLastError();
}

// First the largest value, then the lowest index that holds it. Both by integer atomics.
static __device__ unsigned ordered(float x)
{
    unsigned bits = __float_as_uint(x == 0.0f ? 0.0f : x);
    return bits & 0x80000000 ? ~bits : bits | 0x80000000;
}

static __global__ void largest(const float *in, size_t n, unsigned *best)
{
    unsigned mine = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        mine = max(mine, ordered(in[i]));
    mine = __reduce_max_sync(0xffffffff, mine);
    if (threadIdx.x % 32 == 0)
        atomicMax(best, mine);
}

static __global__ void lowest_index(
    const float *in, size_t n, const unsigned *best, unsigned *index)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        if (ordered(in[i]) == *best)
            atomicMin(index, (unsigned)i);
}

static __global__ void fetch(const float *in, const unsigned *index, float *value)
{
    *value = in[*index];
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    unsigned *best = (unsigned *)scratch;
    unsigned blocks = (unsigned)min(ceil_div(n, 256), (size_t)BLOCKS);
    if (n == 0)
        return cudaErrorInvalidValue;
    CUDA_TRY(cudaMemsetAsync(best, 0, sizeof *best, stream));
    CUDA_TRY(cudaMemsetAsync(index, 0xff, sizeof *index, stream));
    largest<<<blocks, 256, 0, stream>>>(in, n, best);
    lowest_index<<<blocks, 256, 0, stream>>>(in, n, best, index);
    fetch<<<1, 1, 0, stream>>>(in, index, value);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// One launch is the task here: 256 blocks in every call, so the ticket need not be reset.
static __global__ void single_pass(const float *in, float *out, size_t n, unsigned *scratch)
{
    __shared__ float of_warp[16];
    __shared__ unsigned ticket;
    volatile float *sums = (volatile float *)(scratch + 1);
    float sum = 0.0f;

    for (size_t i = blockIdx.x * (size_t)512 + threadIdx.x; i < n; i += 256 * (size_t)512)
        sum += in[i];
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0.0f;
        for (int w = 0; w < 16; w++)
            sum += of_warp[w];
        sums[blockIdx.x] = sum;
        __threadfence();
        ticket = atomicAdd(scratch, 1u);
        __threadfence();
    }
    __syncthreads();
    if (ticket % 256 == 255 && threadIdx.x < 32) {
        sum = 0.0f;
        for (int b = threadIdx.x; b < 256; b += 32)
            sum += sums[b];
        sum = warp_total(sum);
        if (threadIdx.x == 0)
            *out = sum;
    }
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    single_pass<<<256, 512, 0, stream>>>(in, out, n, (unsigned *)scratch);
    return cudaGetLastError();
}

// A warp a row, eight rows a block: no barrier at all.
static __global__ void rows(const float *in, float *out, struct matrix_shape shape)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    if (row >= shape.rows)
        return; // the whole warp
    const float *start = in + row * shape.columns;
    float sum = 0.0f;

    if (shape.columns % 4 == 0) {
        const float4 *start4 = (const float4 *)start;
#pragma unroll 4
        for (size_t c = lane; c < shape.columns / 4; c += 32) {
            float4 v = start4[c];
            sum += (v.x + v.y) + (v.z + v.w);
        }
    } else {
        for (size_t c = lane; c < shape.columns; c += 32)
            sum += start[c];
    }
    sum = warp_total(sum);
    if (lane == 0)
        out[row] = sum;
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        rows<<<(unsigned)ceil_div(shape.rows, 8), 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

// Threads without an element return: the others read from lanes below them only, which are there.
static __global__ void scan(const int *in, int *out, size_t n)
{
    const unsigned lane = threadIdx.x % 32;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = in[i];
    for (unsigned offset = 1; offset < 32; offset += offset) {
        int below = __shfl_up_sync(0xffffffff, sum, offset);
        sum += offset <= lane ? below : 0;
    }
    out[i] = sum;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        scan<<<(unsigned)ceil_div(n, 64), 64, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}

// Count, scan the counts, write: no atomic, and the order of the input is kept.
enum { PART = 4096 };

static __global__ void count_part(const int *in, size_t n)
{
    __shared__ unsigned of_warp[8];
    unsigned kept = 0;
    for (int k = 0; k < PART / 256; k++) {
        size_t i = blockIdx.x * (size_t)PART + k * 256 + threadIdx.x;
        kept += i < n && in[i] > 0;
    }
    kept = __reduce_add_sync(0xffffffff, kept);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = kept;
    __syncthreads();
    if (threadIdx.x == 0) {
        kept = 0;
        for (int w = 0; w < 8; w++)
            kept += of_warp[w];
        counts_of_blocks[blockIdx.x] = kept;
    }
}

// The sum of x over the threads below this one, in one block of 1,024 threads.
static __device__ unsigned sum_below(unsigned x)
{
    __shared__ unsigned of_warp[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned through = x, before = 0;

    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned below = __shfl_up_sync(0xffffffff, through, d);
        through += lane >= d ? below : 0;
    }
    if (lane == 31)
        of_warp[warp] = through;
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        before += of_warp[w];
    return before + through - x;
}

static __global__ void scan_counts(unsigned parts, unsigned *count)
{
    const unsigned each = (parts + 1023) / 1024, first = threadIdx.x * each;
    unsigned mine = 0;
    for (unsigned p = first; p < first + each && p < parts; p++)
        mine += counts_of_blocks[p];
    unsigned place = sum_below(mine);
    if (threadIdx.x == 1023)
        *count = place + mine;
    for (unsigned p = first; p < first + each && p < parts; p++) {
        unsigned kept = counts_of_blocks[p];
        counts_of_blocks[p] = place;
        place += kept;
    }
}

static __global__ void write_part(const int *in, int *out, size_t n)
{
    __shared__ unsigned of_warp[8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t first = blockIdx.x * (size_t)PART + warp * (PART / 8);
    unsigned kept = 0, place = counts_of_blocks[blockIdx.x];

    for (int k = 0; k < PART / 256; k++) {
        size_t i = first + k * 32 + lane;
        kept += __popc(__ballot_sync(0xffffffff, i < n && in[i] > 0));
    }
    if (lane == 0)
        of_warp[warp] = kept;
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        place += of_warp[w];
    for (int k = 0; k < PART / 256; k++) {
        size_t i = first + k * 32 + lane;
        int item = i < n ? in[i] : 0;
        unsigned keepers = __ballot_sync(0xffffffff, item > 0);
        if (item > 0)
            out[place + __popc(keepers & ((1u << lane) - 1))] = item;
        place += __popc(keepers);
    }
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    unsigned parts = (unsigned)ceil_div(n, PART);
    if (parts > 0)
        count_part<<<parts, 256, 0, stream>>>(in, n);
    scan_counts<<<1, 1024, 0, stream>>>(parts, count);
    if (parts > 0)
        write_part<<<parts, 256, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
