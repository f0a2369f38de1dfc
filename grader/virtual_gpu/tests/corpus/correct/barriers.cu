/* Barriers of a block: those that count, named ones, and blocks that part before or after them. */
#include "../corpus.h"

/* ---- barriers that count --------------------------------------------------------------------- */

__global__ void counting_kernel(const int *in, int *out)
{
    const int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    const int even = __syncthreads_count(x % 2 == 0);
    const int all_small = __syncthreads_and(x < 1000), any_big = __syncthreads_or(x > 990);
    if (threadIdx.x == 0) {
        out[3 * blockIdx.x] = even;
        out[3 * blockIdx.x + 1] = all_small != 0;
        out[3 * blockIdx.x + 2] = any_big != 0;
    }
}

static void counting_barriers(void)
{
    enum { THREADS = 77, BLOCKS = 4 };
    int in[THREADS * BLOCKS], got[3 * BLOCKS], want[3 * BLOCKS];
    for (int b = 0; b < BLOCKS; b++) {
        want[3 * b] = want[3 * b + 2] = 0;
        want[3 * b + 1] = 1;
        for (int t = 0; t < THREADS; t++) {
            const int x = (int)(scrambled((unsigned)(b * THREADS + t)) % (b == 1 ? 2000 : 900));
            in[b * THREADS + t] = x;
            want[3 * b] += x % 2 == 0;
            want[3 * b + 1] &= x < 1000;
            want[3 * b + 2] |= x > 990;
        }
    }
    int *d_in = device_copy(in, THREADS * BLOCKS), *out = device_array<int>(3 * BLOCKS);
    counting_kernel<<<BLOCKS, THREADS>>>(d_in, out);
    FINISH();
    take(got, out, 3 * BLOCKS);
    EXPECT_SAME(got, want, 3 * BLOCKS);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* All threads leave the loop in the same round, because the barrier tells them. */
__global__ void until_stable_kernel(const int *in, int *out, int *rounds)
{
    __shared__ int label[100];
    const int t = (int)threadIdx.x;
    label[t] = in[t];
    __syncthreads();
    for (int round = 1;; round++) {
        const int left = t > 0 ? label[t - 1] : 0, best = max(left, label[t]);
        const bool changed = __syncthreads_or(best != label[t]);
        label[t] = best;
        __syncthreads();
        if (!changed) {
            if (t == 0)
                *rounds = round;
            break;
        }
    }
    out[t] = label[t];
}

static void loop_until_stable(void)
{
    int in[100], got[100], rounds;
    for (int i = 0; i < 100; i++)
        in[i] = (int)(scrambled((unsigned)i) % 100);
    int *d_in = device_copy(in, 100), *out = device_array<int>(100),
        *d_rounds = device_array<int>(1);
    until_stable_kernel<<<1, 100>>>(d_in, out, d_rounds);
    FINISH();
    take(got, out, 100);
    take(&rounds, d_rounds, 1);
    for (int i = 0, best = 0; i < 100; i++)
        EXPECT(got[i] == (best = in[i] > best ? in[i] : best));
    EXPECT(rounds > 1);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- named barriers -------------------------------------------------------------------------- */

__device__ void named_sync(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void named_arrive(int number, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* Two halves of a block synchronise apart, and together at the end. */
__global__ void halves_kernel(int *out)
{
    __shared__ int tile[128];
    const int t = (int)threadIdx.x, half = t / 64, k = t % 64;
    tile[t] = t;
    for (int round = 0; round < 2 + half; round++) {
        named_sync(1 + half, 64);
        const int x = tile[half * 64 + (k + 1) % 64];
        named_sync(1 + half, 64);
        tile[t] = x + 1;
    }
    __syncthreads();
    out[t] = tile[127 - t];
}

static void halves_of_a_block(void)
{
    int *out = device_array<int>(128), got[128];
    halves_kernel<<<1, 128>>>(out);
    FINISH();
    take(got, out, 128);
    for (int t = 0; t < 128; t++) {
        const int from = 127 - t, half = from / 64, rounds = 2 + half;
        EXPECT(got[t] == half * 64 + (from % 64 + rounds) % 64 + rounds);
    }
    digest(got, sizeof got);
}

/* Producers only arrive at "full", consumers only at "empty". */
__global__ void producer_consumer_kernel(int *out, int rounds)
{
    __shared__ int buffer[2][32];
    const int lane = (int)threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; r++) {
            if (r >= 2)
                named_sync(3 + r % 2, 64); /* empty */
            buffer[r % 2][lane] = r * 32 + lane;
            __threadfence_block();
            named_arrive(1 + r % 2, 64); /* full */
        }
    } else {
        int sum = 0;
        for (int r = 0; r < rounds; r++) {
            named_sync(1 + r % 2, 64);
            sum += buffer[r % 2][31 - lane];
            if (r + 2 < rounds)
                named_arrive(3 + r % 2, 64);
        }
        out[lane] = sum;
    }
}

static void producers_and_consumers(void)
{
    enum { ROUNDS = 7 };
    int *out = device_array<int>(32), got[32];
    producer_consumer_kernel<<<1, 64>>>(out, ROUNDS);
    FINISH();
    take(got, out, 32);
    for (int i = 0; i < 32; i++)
        EXPECT(got[i] == 32 * ROUNDS * (ROUNDS - 1) / 2 + ROUNDS * (31 - i));
    digest(got, sizeof got);
}

/* ---- threads that leave ---------------------------------------------------------------------- */

/* Whole warps leave when nothing that is left needs them. */
__global__ void leavers_kernel(const int *in, int *out, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    int x = in[i];
    if (threadIdx.x >= 64) {
        out[i] = -x;
        return;
    }
    while (x > 10)
        x /= 2;
    out[i] = x;
}

static void early_leavers(void)
{
    enum { N = 300 };
    int in[N], got[N];
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 5000);
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    leavers_kernel<<<3, 128>>>(d_in, out, N);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++) {
        int want = in[i];
        while (i % 128 < 64 && want > 10)
            want /= 2;
        EXPECT(got[i] == (i % 128 < 64 ? want : -want));
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* The whole block takes one side: which one, every thread agrees on. */
__global__ void uniform_branch_kernel(int *out)
{
    __shared__ int tile[96];
    const unsigned t = threadIdx.x;
    if (blockIdx.x % 2 == 0) {
        tile[t] = (int)t;
        __syncthreads();
        out[blockIdx.x * 96 + t] = tile[95 - t];
    } else {
        tile[95 - t] = (int)t;
        __syncthreads();
        if (blockIdx.x == 3)
            return;
        out[blockIdx.x * 96 + t] = tile[t] * 2;
    }
}

static void barriers_in_uniform_branches(void)
{
    enum { N = 4 * 96 };
    int *out = device_zeros<int>(N), got[N];
    uniform_branch_kernel<<<4, 96>>>(out);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++) {
        const int t = i % 96;
        EXPECT(got[i] == (i / 96 % 2 == 0 ? 95 - t : i / 96 == 1 ? 2 * (95 - t) : 0));
    }
    digest(got, sizeof got);
}

/* Blocks of odd sizes: the last warp is not full. */
__global__ void odd_size_kernel(int *out)
{
    extern __shared__ int values[];
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned n = blockDim.x * blockDim.y * blockDim.z;
    values[rank] = (int)(rank * rank);
    __syncthreads();
    for (unsigned width = 1; width < n; width *= 2) {
        if (rank % (2 * width) == 0 && rank + width < n)
            values[rank] += values[rank + width];
        __syncthreads();
    }
    if (rank == 0)
        out[blockIdx.x] = values[0];
}

static void blocks_of_odd_sizes(void)
{
    static const dim3 blocks[] = {
        {1, 1, 1}, {33, 1, 1}, {7, 5, 1}, {3, 3, 11}, {1, 1, 63}, {5, 97, 1}};
    for (const dim3 &block : blocks) {
        const unsigned n = block.x * block.y * block.z;
        int *out = device_array<int>(2), got[2], want = 0;
        for (unsigned i = 0; i < n; i++)
            want += (int)(i * i);
        odd_size_kernel<<<2, block, n * sizeof(int)>>>(out);
        FINISH();
        take(got, out, 2);
        EXPECT(got[0] == want && got[1] == want);
        digest(got, sizeof got);
    }
}

CORPUS_MAIN(CASE(counting_barriers), CASE(loop_until_stable), CASE(halves_of_a_block),
    CASE(producers_and_consumers), CASE(early_leavers), CASE(barriers_in_uniform_branches),
    CASE(blocks_of_odd_sizes))
