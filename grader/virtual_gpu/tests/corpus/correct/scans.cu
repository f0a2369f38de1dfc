/* Scans and sorts: many barriers, each of which is needed. */
#include "../corpus.h"

enum { N = 256 };

static int in[8 * N];

static int *upload(int n)
{
    for (int i = 0; i < n; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    return device_copy(in, (size_t)n);
}

/* ---- scans ----------------------------------------------------------------------------------- */

__global__ void doubling_kernel(const int *in, int *out)
{
    __shared__ int a[N], b[N];
    int *from = a, *to = b;
    const int t = (int)threadIdx.x;
    from[t] = in[t];
    __syncthreads();
    for (int step = 1; step < N; step *= 2) {
        to[t] = from[t] + (t >= step ? from[t - step] : 0);
        __syncthreads();
        int *other = from;
        from = to;
        to = other;
    }
    out[t] = from[t];
}

/* Up and down a tree, two elements a thread; exclusive. */
__global__ void tree_kernel(const int *in, int *out)
{
    __shared__ int tree[N];
    const unsigned t = threadIdx.x;
    unsigned offset = 1;
    tree[2 * t] = in[2 * t];
    tree[2 * t + 1] = in[2 * t + 1];
    for (unsigned d = N / 2; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    }
    if (t == 0)
        tree[N - 1] = 0;
    for (unsigned d = 1; d < N; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const unsigned left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            const int x = tree[left];
            tree[left] = tree[right];
            tree[right] += x;
        }
    }
    __syncthreads();
    out[2 * t] = tree[2 * t];
    out[2 * t + 1] = tree[2 * t + 1];
}

static void scans_of_a_block(void)
{
    int *d_in = upload(N), *out = device_array<int>(2 * N), got[2 * N], sum = 0;
    doubling_kernel<<<1, N>>>(d_in, out);
    tree_kernel<<<1, N / 2>>>(d_in, out + N);
    FINISH();
    take(got, out, 2 * N);
    for (int i = 0; i < N; i++) {
        EXPECT(got[N + i] == sum);
        EXPECT(got[i] == (sum += in[i]));
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* Three launches: sums of blocks, their scan, and everything. */
__device__ int scan_of_block(int x, int *total)
{
    __shared__ int warps[32];
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    for (int step = 1; step < 32; step *= 2) {
        const int y = __shfl_up_sync(0xFFFFFFFFu, x, (unsigned)step);
        x += lane >= step ? y : 0;
    }
    if (lane == 31)
        warps[warp] = x;
    __syncthreads();
    if (warp == 0) {
        int w = lane < (int)blockDim.x / 32 ? warps[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int y = __shfl_up_sync(0xFFFFFFFFu, w, (unsigned)step);
            w += lane >= step ? y : 0;
        }
        warps[lane] = w;
    }
    __syncthreads();
    *total = warps[blockDim.x / 32 - 1];
    const int before = warp > 0 ? warps[warp - 1] : 0;
    __syncthreads();
    return before + x;
}

__global__ void block_sums_kernel(const int *in, int *sums)
{
    int total;
    scan_of_block(in[blockIdx.x * blockDim.x + threadIdx.x], &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

__global__ void scan_sums_kernel(int *sums)
{
    int total;
    const int scan = scan_of_block(sums[threadIdx.x], &total);
    sums[threadIdx.x] = scan;
}

__global__ void add_sums_kernel(const int *in, const int *sums, int *out)
{
    int total;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int scan = scan_of_block(in[i], &total);
    out[i] = scan + (blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0);
}

static void scan_of_many_blocks(void)
{
    enum { M = 8 * N, BLOCKS = 32 };
    static int got[M];
    int *d_in = upload(M), *out = device_array<int>(M), *sums = device_array<int>(BLOCKS), sum = 0;
    block_sums_kernel<<<BLOCKS, M / BLOCKS>>>(d_in, sums);
    scan_sums_kernel<<<1, BLOCKS>>>(sums);
    add_sums_kernel<<<BLOCKS, M / BLOCKS>>>(d_in, sums, out);
    FINISH();
    take(got, out, M);
    for (int i = 0; i < M; i++)
        EXPECT(got[i] == (sum += in[i]));
    digest(got, sizeof got);
    OK(cudaFree(d_in));
    OK(cudaFree(sums));
}

/* ---- sorts ----------------------------------------------------------------------------------- */

__global__ void bitonic_kernel(int *values)
{
    __shared__ int tile[N];
    const unsigned t = threadIdx.x;
    tile[t] = values[t];
    for (unsigned size = 2; size <= N; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            const unsigned other = t ^ step;
            if (other > t) {
                const int a = tile[t], b = tile[other];
                if ((a > b) == ((t & size) == 0)) {
                    tile[t] = b;
                    tile[other] = a;
                }
            }
        }
    __syncthreads();
    values[t] = tile[t];
}

/* One launch a step, in global memory. */
__global__ void bitonic_step_kernel(int *values, unsigned size, unsigned step)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
    if (other <= i)
        return;
    const int a = values[i], b = values[other];
    if ((a > b) == ((i & size) == 0)) {
        values[i] = b;
        values[other] = a;
    }
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void bitonic_sorts(void)
{
    enum { M = 4 * N };
    static int got[M];
    int *values = upload(N);
    bitonic_kernel<<<1, N>>>(values);
    FINISH();
    take(got, values, N);
    qsort(in, N, sizeof in[0], ascending);
    EXPECT_SAME(got, in, N);
    values = upload(M);
    for (unsigned size = 2; size <= M; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2)
            bitonic_step_kernel<<<8, M / 8>>>(values, size, step);
    FINISH();
    take(got, values, M);
    qsort(in, M, sizeof in[0], ascending);
    EXPECT_SAME(got, in, M);
    digest(got, sizeof got);
}

/* By one bit at a time: those with 0 in front of those with 1. */
__global__ void radix_kernel(int *values, int bits)
{
    __shared__ int tile[N], zeros[N / 32 + 1];
    const int t = (int)threadIdx.x, lane = t % 32, warp = t / 32;
    tile[t] = values[t];
    __syncthreads();
    for (int bit = 0; bit < bits; bit++) {
        const int x = tile[t];
        const bool is_zero = (x >> bit & 1) == 0;
        const unsigned votes = __ballot_sync(0xFFFFFFFFu, is_zero);
        if (lane == 0)
            zeros[warp] = __popc(votes);
        const int all = __syncthreads_count(is_zero);
        int before = __popc(votes & ((1u << lane) - 1));
        for (int w = 0; w < warp; w++)
            before += zeros[w];
        tile[is_zero ? before : all + t - before] = x;
        __syncthreads();
    }
    values[t] = tile[t];
}

static void radix_sort(void)
{
    int *values = upload(N), got[N];
    radix_kernel<<<1, N>>>(values, 10);
    FINISH();
    take(got, values, N);
    qsort(in, N, sizeof in[0], ascending);
    EXPECT_SAME(got, in, N);
    digest(got, sizeof got);
}

/* Each element finds its place in the other half by bisection. */
__global__ void merge_kernel(const int *in, int *out, int width, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    const int first = i / (2 * width) * (2 * width), in_left = i - first < width;
    const int other = in_left ? first + width : first;
    int low = 0, high = width;
    while (low < high) {
        const int middle = (low + high) / 2;
        const bool smaller = in_left ? in[other + middle] < in[i] : in[other + middle] <= in[i];
        low = smaller ? middle + 1 : low;
        high = smaller ? high : middle;
    }
    out[first + low + (in_left ? i - first : i - first - width)] = in[i];
}

static void merge_sort(void)
{
    enum { M = 2 * N };
    int *a = upload(M), *b = device_array<int>(M), got[M];
    for (int width = 1; width < M; width *= 2) {
        merge_kernel<<<(M + 99) / 100, 100>>>(a, b, width, M);
        int *other = a;
        a = b;
        b = other;
    }
    FINISH();
    take(got, a, M);
    qsort(in, M, sizeof in[0], ascending);
    EXPECT_SAME(got, in, M);
    digest(got, sizeof got);
    OK(cudaFree(b));
}

/* ---- compaction ------------------------------------------------------------------------------ */

/* Places by a scan within the block, one atomic a block for its base. */
__global__ void compact_kernel(const int *in, int *out, int *count)
{
    __shared__ int base;
    int total;
    const int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    const bool keep = x % 3 == 0;
    const int place = scan_of_block(keep, &total) - keep;
    if (threadIdx.x == 0)
        base = atomicAdd(count, total);
    __syncthreads();
    if (keep)
        out[base + place] = x;
}

static void compaction(void)
{
    enum { M = 4 * N };
    int *d_in = upload(M), *out = device_array<int>(M), *count = device_zeros<int>(1);
    static int got[M], want[M];
    int n, wanted = 0;
    compact_kernel<<<4, N>>>(d_in, out, count);
    FINISH();
    take(&n, count, 1);
    for (int i = 0; i < M; i++)
        if (in[i] % 3 == 0)
            want[wanted++] = in[i];
    EXPECT(n == wanted);
    take(got, out, (size_t)n); /* what lies behind was never written */
    qsort(got, (size_t)n, sizeof got[0], ascending);
    qsort(want, (size_t)n, sizeof want[0], ascending);
    EXPECT_SAME(got, want, (size_t)n);
    digest(got, (size_t)n * sizeof got[0]);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(scans_of_a_block), CASE(scan_of_many_blocks), CASE(bitonic_sorts),
    CASE(radix_sort), CASE(merge_sort), CASE(compaction))
