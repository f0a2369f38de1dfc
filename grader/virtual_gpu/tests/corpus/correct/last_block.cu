/* The block that finishes last goes on: fences and a ticket order what the others wrote. */
#include "../corpus.h"

enum { THREADS = 128, BLOCKS = 9, N = 3000 };

static int values[N];

static int *upload_values(int *sum)
{
    *sum = 0;
    for (int i = 0; i < N; i++)
        *sum += values[i] = (int)(scrambled((unsigned)i) % 1000);
    return device_copy(values, N);
}

__device__ int block_sum(int x)
{
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = x;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    const int sum = tile[0];
    __syncthreads();
    return sum;
}

/* ---- one thread publishes, fences, takes a ticket -------------------------------------------- */

__device__ unsigned tickets;

__global__ void sum_kernel(const int *in, int n, int *partial, int *out)
{
    __shared__ bool is_last;
    int mine = 0;
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        mine += in[i];
    const int sum = block_sum(mine);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    mine = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        mine += partial[b];
    const int total = block_sum(mine);
    if (threadIdx.x == 0)
        *out = total;
}

static void ticket_by_one_thread(void)
{
    int want, got;
    int *in = upload_values(&want), *partial = device_array<int>(BLOCKS);
    int *out = device_array<int>(1);
    for (int round = 0; round < 2; round++) { /* the counter has wrapped to 0 */
        sum_kernel<<<BLOCKS, THREADS>>>(in, N, partial, out);
        FINISH();
        fetch(&got, out, 1);
        EXPECT(got == want);
    }
    digest(&got, sizeof got);
    OK(cudaFree(in));
    OK(cudaFree(partial));
    OK(cudaFree(out));
}

/* ---- every thread publishes, all fence, a barrier, then the ticket --------------------------- */

__global__ void column_sum_kernel(const int *in, int *partial, unsigned *done, int *out)
{
    __shared__ unsigned order;
    const unsigned t = threadIdx.x, b = blockIdx.x;
    partial[b * THREADS + t] = in[b * THREADS + t] * 3;
    __threadfence();
    __syncthreads();
    if (t == 0)
        order = atomicAdd(done, 1);
    __syncthreads();
    if (order != gridDim.x - 1)
        return;
    int sum = 0;
    for (unsigned k = 0; k < gridDim.x; k++)
        sum += partial[k * THREADS + t];
    out[t] = sum;
}

static void all_threads_publish(void)
{
    int unused, got[THREADS];
    int *in = upload_values(&unused), *partial = device_array<int>(BLOCKS * THREADS);
    int *out = device_array<int>(THREADS);
    unsigned *done = device_zeros<unsigned>(1);
    column_sum_kernel<<<BLOCKS, THREADS>>>(in, partial, done, out);
    FINISH();
    take(got, out, THREADS);
    for (int t = 0; t < THREADS; t++) {
        int want = 0;
        for (int b = 0; b < BLOCKS; b++)
            want += 3 * values[b * THREADS + t];
        EXPECT(got[t] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(in));
    OK(cudaFree(partial));
    OK(cudaFree(done));
}

/* ---- volatile results, __syncthreads_or tells the block -------------------------------------- */

__global__ void volatile_partial_kernel(
    const int *in, volatile int *partial, unsigned *done, int *out)
{
    const int sum = block_sum(in[blockIdx.x * THREADS + threadIdx.x]);
    bool last = false;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
        __threadfence();
    }
    if (!__syncthreads_or(last))
        return;
    const int total = block_sum(threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *out = total;
}

static void volatile_partials(void)
{
    int unused, got, want = 0;
    int *in = upload_values(&unused), *partial = device_array<int>(BLOCKS);
    int *out = device_array<int>(1);
    unsigned *done = device_zeros<unsigned>(1);
    for (int i = 0; i < BLOCKS * THREADS; i++)
        want += values[i];
    volatile_partial_kernel<<<BLOCKS, THREADS>>>(in, partial, done, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == want);
    digest(&got, sizeof got);
    OK(cudaFree(in));
    OK(cudaFree(partial));
    OK(cudaFree(done));
}

/* ---- a histogram of the whole grid, finished by the last block ------------------------------- */

enum { BINS = 32 };

__global__ void cumulate_kernel(const int *in, int n, unsigned *bins, unsigned *done)
{
    __shared__ bool is_last;
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        atomicAdd(&bins[in[i] % BINS], 1);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(done, 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last && threadIdx.x == 0)
        for (int b = 1; b < BINS; b++)
            bins[b] += bins[b - 1];
}

static void histogram_then_prefix(void)
{
    int unused;
    unsigned got[BINS], want[BINS] = {0};
    int *in = upload_values(&unused);
    unsigned *bins = device_zeros<unsigned>(BINS), *done = device_zeros<unsigned>(1);
    cumulate_kernel<<<BLOCKS, THREADS>>>(in, N, bins, done);
    FINISH();
    for (int i = 0; i < N; i++)
        want[values[i] % BINS]++;
    for (int b = 1; b < BINS; b++)
        want[b] += want[b - 1];
    take(got, bins, BINS);
    EXPECT_SAME(got, want, BINS);
    digest(got, sizeof got);
    OK(cudaFree(in));
    OK(cudaFree(done));
}

/* ---- one launch, two dependent passes: each tile waits for its neighbour's total -------------- */

__global__ void chained_scan_kernel(
    const int *in, int *out, volatile int *totals, volatile int *ready, unsigned *next_tile)
{
    __shared__ unsigned tile;
    __shared__ int scan[2][THREADS], before;
    const int t = (int)threadIdx.x;
    if (t == 0)
        tile = atomicAdd(next_tile, 1); /* tiles in the order in which blocks start */
    __syncthreads();
    const int i = (int)tile * THREADS + t;
    int from = 0;
    scan[0][t] = in[i];
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        scan[1 - from][t] = scan[from][t] + (t >= step ? scan[from][t - step] : 0);
        from = 1 - from;
        __syncthreads();
    }
    if (t == THREADS - 1) {
        before = 0;
        if (tile > 0) {
            while (ready[tile - 1] == 0)
                ;
            __threadfence();
            before = totals[tile - 1];
        }
        totals[tile] = before + scan[from][t];
        __threadfence();
        ready[tile] = 1;
    }
    __syncthreads();
    out[i] = before + scan[from][t];
}

static void chained_scan(void)
{
    enum { M = BLOCKS * THREADS };
    static int got[M];
    int unused, sum = 0;
    int *in = upload_values(&unused), *out = device_array<int>(M);
    int *totals = device_array<int>(BLOCKS), *ready = device_zeros<int>(BLOCKS);
    unsigned *next_tile = device_zeros<unsigned>(1);
    chained_scan_kernel<<<BLOCKS, THREADS>>>(in, out, totals, ready, next_tile);
    FINISH();
    take(got, out, M);
    for (int i = 0; i < M; i++)
        EXPECT(got[i] == (sum += values[i]));
    digest(got, sizeof got);
    OK(cudaFree(in));
    OK(cudaFree(totals));
    OK(cudaFree(ready));
    OK(cudaFree(next_tile));
}

CORPUS_MAIN(CASE(ticket_by_one_thread), CASE(all_threads_publish), CASE(volatile_partials),
    CASE(histogram_then_prefix), CASE(chained_scan))
