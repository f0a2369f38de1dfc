/* Lanes that talk through registers: shuffles, votes, matches, reductions, with all sorts of masks. */
#include "../corpus.h"

#include <cuda_fp16.h>

#define ALL 0xFFFFFFFFu

/* ---- the four shuffles ----------------------------------------------------------------------- */

__global__ void four_shuffles_kernel(const int *in, int *out)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), x = in[i];
    int *mine = out + 8 * i;
    mine[0] = __shfl_up_sync(ALL, x, 3);
    mine[1] = __shfl_down_sync(ALL, x, 5);
    mine[2] = __shfl_xor_sync(ALL, x, 9);
    mine[3] = __shfl_sync(ALL, x, i * 7);
    mine[4] = __shfl_up_sync(ALL, x, 2, 8);
    mine[5] = __shfl_down_sync(ALL, x, 3, 4);
    mine[6] = __shfl_xor_sync(ALL, x, 1, 2);
    mine[7] = __shfl_sync(ALL, x, i + 3, 16);
}

static void four_shuffles(void)
{
    enum { N = 128 };
    int in[N], got[8 * N];
    for (int i = 0; i < N; i++)
        in[i] = (int)scrambled((unsigned)i);
    int *d_in = device_copy(in, N), *out = device_array<int>(8 * N);
    four_shuffles_kernel<<<2, N / 2>>>(d_in, out);
    FINISH();
    take(got, out, 8 * N);
    for (int i = 0; i < N; i++) {
        const int lane = i % 32, base = i - lane;
        const int from[8] = {lane < 3 ? lane : lane - 3, lane + 5 > 31 ? lane : lane + 5, lane ^ 9,
            i * 7 % 32, lane % 8 < 2 ? lane : lane - 2, lane % 4 > 0 ? lane : lane + 3, lane ^ 1,
            lane / 16 * 16 + (i + 3) % 16};
        for (int k = 0; k < 8; k++)
            EXPECT(got[8 * i + k] == in[base + from[k]]);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- types of more and of less than 32 bits -------------------------------------------------- */

__global__ void types_kernel(double *doubles, long long *longs, float *floats, __half2 *halves)
{
    const unsigned t = threadIdx.x;
    doubles[t] = __shfl_xor_sync(ALL, 1.5 * t, 17);
    longs[t] = __shfl_down_sync(ALL, (long long)t << 40 | t, 1);
    floats[t] = __shfl_up_sync(ALL, 0.25f * (float)t, 1);
    halves[t] = __shfl_sync(ALL, __floats2half2_rn((float)t, -(float)t), (int)t / 2);
}

static void types_of_all_sizes(void)
{
    double *doubles = device_array<double>(32), got_d[32];
    long long *longs = device_array<long long>(32), got_l[32];
    float *floats = device_array<float>(32), got_f[32];
    __half2 *halves = device_array<__half2>(32), got_h[32];
    types_kernel<<<1, 32>>>(doubles, longs, floats, halves);
    FINISH();
    take(got_d, doubles, 32);
    take(got_l, longs, 32);
    take(got_f, floats, 32);
    take(got_h, halves, 32);
    for (int t = 0; t < 32; t++) {
        const long long below = t < 31 ? t + 1 : t;
        EXPECT(got_d[t] == 1.5 * (t ^ 17));
        EXPECT(got_l[t] == (below << 40 | below));
        EXPECT(got_f[t] == 0.25f * (float)(t > 0 ? t - 1 : 0));
        EXPECT(__low2float(got_h[t]) == t / 2 && __high2float(got_h[t]) == -(t / 2));
    }
    digest(got_d, sizeof got_d);
    digest(got_l, sizeof got_l);
}

/* ---- reductions and scans -------------------------------------------------------------------- */

__global__ void warp_sums_kernel(const int *in, int *sums, int *scans)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), lane = (int)threadIdx.x % 32;
    int sum = in[i], scan = in[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(ALL, sum, (unsigned)step);
    for (unsigned step = 1; step < 32; step *= 2) {
        const int x = __shfl_up_sync(ALL, scan, step);
        scan += lane >= (int)step ? x : 0;
    }
    scans[i] = scan;
    if (lane == 0)
        sums[i / 32] = sum;
}

static void sums_and_scans(void)
{
    enum { N = 192 };
    int in[N], sums[N / 32], scans[N];
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N), *d_sums = device_array<int>(N / 32),
        *d_scans = device_array<int>(N);
    warp_sums_kernel<<<2, N / 2>>>(d_in, d_sums, d_scans);
    FINISH();
    take(sums, d_sums, N / 32);
    take(scans, d_scans, N);
    for (int i = 0, sum = 0; i < N; i++) {
        sum = (i % 32 == 0 ? 0 : sum) + in[i];
        EXPECT(scans[i] == sum);
        EXPECT(i % 32 != 31 || sums[i / 32] == sum);
    }
    digest(sums, sizeof sums);
    digest(scans, sizeof scans);
    OK(cudaFree(d_in));
}

__global__ void reduce_instructions_kernel(const unsigned *in, unsigned *out)
{
    const unsigned x = in[threadIdx.x], mask = threadIdx.x % 32 < 12 ? 0xFFFu : ~0xFFFu;
    unsigned results[8];
    if (threadIdx.x % 32 < 12)
        results[0] = __reduce_add_sync(mask, x);
    else
        results[0] = __reduce_add_sync(mask, x);
    results[1] = __reduce_min_sync(ALL, x);
    results[2] = __reduce_max_sync(ALL, x);
    results[3] = (unsigned)__reduce_min_sync(ALL, (int)x);
    results[4] = (unsigned)__reduce_max_sync(ALL, (int)x);
    results[5] = __reduce_and_sync(ALL, x | 0xF0F0u);
    results[6] = __reduce_or_sync(ALL, x & 0x1111u);
    results[7] = __reduce_xor_sync(ALL, x);
    for (unsigned k = 0; k < 8; k++)
        out[8 * threadIdx.x + k] = results[k];
}

static void reduce_instructions(void)
{
    unsigned in[64], got[512];
    for (unsigned i = 0; i < 64; i++)
        in[i] = scrambled(i);
    unsigned *d_in = device_copy(in, 64), *out = device_array<unsigned>(512);
    reduce_instructions_kernel<<<1, 64>>>(d_in, out);
    FINISH();
    take(got, out, 512);
    for (int i = 0; i < 64; i++) {
        const unsigned *x = in + i / 32 * 32;
        unsigned want[8] = {0, ~0u, 0, 0x7FFFFFFF, 0x80000000, ~0u, 0, 0};
        for (int k = 0; k < 32; k++) {
            want[0] += (k < 12) == (i % 32 < 12) ? x[k] : 0;
            want[1] = x[k] < want[1] ? x[k] : want[1];
            want[2] = x[k] > want[2] ? x[k] : want[2];
            want[3] = (int)x[k] < (int)want[3] ? x[k] : want[3];
            want[4] = (int)x[k] > (int)want[4] ? x[k] : want[4];
            want[5] &= x[k] | 0xF0F0u;
            want[6] |= x[k] & 0x1111u;
            want[7] ^= x[k];
        }
        EXPECT_SAME(got + 8 * i, want, 8);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- votes and matches ----------------------------------------------------------------------- */

__global__ void votes_kernel(const int *in, unsigned *out)
{
    const int x = in[threadIdx.x];
    int equal;
    unsigned *mine = out + 6 * threadIdx.x;
    mine[0] = __ballot_sync(ALL, x % 3 == 0);
    mine[1] = (unsigned)(__all_sync(ALL, x >= 0) != 0);
    mine[2] = (unsigned)(__any_sync(ALL, x == 5) != 0);
    mine[3] = __match_any_sync(ALL, x);
    mine[4] = __match_all_sync(ALL, x / 100, &equal);
    mine[5] = (unsigned)(equal != 0) | __match_any_sync(ALL, (long long)x << 33) << 1;
}

static void votes_and_matches(void)
{
    int in[64];
    unsigned got[384];
    for (int i = 0; i < 64; i++)
        in[i] = (int)(scrambled((unsigned)i) % (i < 32 ? 8 : 300));
    int *d_in = device_copy(in, 64);
    unsigned *out = device_array<unsigned>(384);
    votes_kernel<<<1, 64>>>(d_in, out);
    FINISH();
    take(got, out, 384);
    for (int i = 0; i < 64; i++) {
        const int *x = in + i / 32 * 32;
        unsigned thirds = 0, same = 0, five = 0, equal = 1;
        for (int k = 0; k < 32; k++) {
            thirds |= (unsigned)(x[k] % 3 == 0) << k;
            same |= (unsigned)(x[k] == in[i]) << k;
            five |= x[k] == 5;
            equal &= x[k] / 100 == x[0] / 100;
        }
        const unsigned want[6] = {thirds, 1, five, same, equal ? ALL : 0, equal | same << 1};
        EXPECT_SAME(got + 6 * i, want, 6);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- masks of divergent lanes ---------------------------------------------------------------- */

/* Both sides of a branch shuffle among themselves. */
__global__ void two_sides_kernel(int *out)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned odd = __ballot_sync(ALL, lane % 2 == 1);
    int x = (int)threadIdx.x;
    if (lane % 2 == 1) {
        for (int step = 2; step < 32; step *= 2)
            x += __shfl_xor_sync(odd, x, step);
    } else {
        for (int step = 16; step > 1; step /= 2)
            x = max(x, __shfl_xor_sync(~odd, x, step));
    }
    __syncwarp();
    out[threadIdx.x] = __shfl_xor_sync(ALL, x, 1);
}

static void two_sides_of_a_branch(void)
{
    int *out = device_array<int>(64), got[64];
    two_sides_kernel<<<1, 64>>>(out);
    FINISH();
    take(got, out, 64);
    for (int t = 0; t < 64; t++)
        EXPECT(got[t] == (t % 2 == 0 ? 16 * (t / 32 * 32) + 256 : t / 32 * 32 + 30));
    digest(got, sizeof got);
}

/* Lanes leave a loop one after the other; the mask says who is left. */
__global__ void shrinking_kernel(const int *in, int *out)
{
    const int lane = (int)threadIdx.x;
    int left = in[lane], total = 0;
    unsigned mask = __ballot_sync(ALL, left > 0);
    if (left > 0)
        do {
            total += __popc(mask);
            left--;
            mask = __ballot_sync(mask, left > 0);
        } while (left > 0);
    out[lane] = total;
}

static void lanes_leave_a_loop(void)
{
    int in[32], got[32];
    for (int i = 0; i < 32; i++)
        in[i] = (int)(scrambled((unsigned)i) % 9);
    int *d_in = device_copy(in, 32), *out = device_array<int>(32);
    shrinking_kernel<<<1, 32>>>(d_in, out);
    FINISH();
    take(got, out, 32);
    for (int i = 0; i < 32; i++) {
        int want = 0;
        for (int round = 0; round < in[i]; round++)
            for (int k = 0; k < 32; k++)
                want += in[k] > round;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* Who is here together adds together: right whatever __activemask() happens to be. */
__global__ void aggregated_kernel(const int *in, int *kept, int *count, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n && in[i] % 3 == 0) {
        const unsigned active = __activemask();
        const int leader = __ffs((int)active) - 1, lane = (int)threadIdx.x % 32;
        int base = 0;
        if (lane == leader)
            base = atomicAdd(count, __popc(active));
        base = __shfl_sync(active, base, leader);
        kept[base + __popc(active & ((1u << lane) - 1))] = in[i];
    }
}

static void aggregated_atomics(void)
{
    enum { N = 300 };
    int in[N], kept[N], count, want_count = 0, sum = 0, want_sum = 0;
    for (int i = 0; i < N; i++) {
        in[i] = (int)(scrambled((unsigned)i) % 1000);
        want_count += in[i] % 3 == 0;
        want_sum += in[i] % 3 == 0 ? in[i] : 0;
    }
    int *d_in = device_copy(in, N), *d_kept = device_zeros<int>(N), *d_count = device_zeros<int>(1);
    aggregated_kernel<<<3, 128>>>(d_in, d_kept, d_count, N);
    FINISH();
    take(kept, d_kept, N);
    take(&count, d_count, 1);
    for (int i = 0; i < N; i++)
        sum += kept[i];
    EXPECT(count == want_count && sum == want_sum);
    digest(&sum, sizeof sum);
    OK(cudaFree(d_in));
}

/* The last warp has 11 threads: a mask of those that exist. */
__global__ void short_warp_kernel(int *out)
{
    const unsigned mask = __ballot_sync(threadIdx.x < 64 ? ALL : 0x7FFu, 1);
    int sum = (int)threadIdx.x;
    for (int step = 16; step > 0; step /= 2) {
        const int x = __shfl_down_sync(mask, sum, (unsigned)step);
        sum += (int)threadIdx.x % 32 + step < __popc(mask) ? x : 0;
    }
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = sum;
}

static void warp_of_eleven(void)
{
    int *out = device_array<int>(3), got[3];
    short_warp_kernel<<<1, 75>>>(out);
    FINISH();
    take(got, out, 3);
    EXPECT(got[0] == 31 * 16 && got[1] == 32 * 32 + 31 * 16 && got[2] == 11 * 64 + 55);
    digest(got, sizeof got);
}

CORPUS_MAIN(CASE(four_shuffles), CASE(types_of_all_sizes), CASE(sums_and_scans),
    CASE(reduce_instructions), CASE(votes_and_matches), CASE(two_sides_of_a_branch),
    CASE(lanes_leave_a_loop), CASE(aggregated_atomics), CASE(warp_of_eleven))
