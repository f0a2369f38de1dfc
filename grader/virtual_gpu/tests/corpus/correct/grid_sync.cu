/* Cooperative launches: grid.sync() orders all memory of all blocks. */
#include "../corpus.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* ---- a stencil that goes back and forth ------------------------------------------------------ */

__global__ void smooth_kernel(int *a, int *b, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int step = 0; step < steps; step++) {
        for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) {
            const int left = i > 0 ? a[i - 1] : 0, right = i < n - 1 ? a[i + 1] : 0;
            b[i] = (left + 2 * a[i] + right) / 4;
        }
        grid.sync();
        int *other = a;
        a = b;
        b = other;
    }
}

static void stencil(void)
{
    enum { N = 1000, STEPS = 9 };
    static int now[N], next[N], got[N];
    for (int i = 0; i < N; i++)
        now[i] = (int)(scrambled((unsigned)i) % 4096);
    int *a = device_copy(now, N), *b = device_array<int>(N), n = N, steps = STEPS;
    void *arguments[] = {&a, &b, &n, &steps};
    OK(cudaLaunchCooperativeKernel(
        (const void *)smooth_kernel, dim3(4), dim3(96), arguments, 0, 0));
    FINISH();
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < N; i++)
            next[i] = ((i > 0 ? now[i - 1] : 0) + 2 * now[i] + (i < N - 1 ? now[i + 1] : 0)) / 4;
        memcpy(now, next, sizeof now);
    }
    take(got, b, N); /* after an odd number of steps */
    EXPECT_SAME(got, now, N);
    digest(got, sizeof got);
    OK(cudaFree(a));
}

/* ---- partial sums that everyone reads -------------------------------------------------------- */

__global__ void normalise_kernel(const int *in, int *partial, int *out, int n)
{
    __shared__ int sum;
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    cg::sync(grid);
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        total += partial[b];
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        out[i] = total - in[i];
}

static void partial_sums(void)
{
    enum { N = 777, BLOCKS = 5 };
    static int in[N], got[N];
    int total = 0, n = N;
    for (int i = 0; i < N; i++)
        total += in[i] = (int)(scrambled((unsigned)i) % 100);
    int *d_in = device_copy(in, N), *partial = device_array<int>(BLOCKS);
    int *out = device_array<int>(N);
    void *arguments[] = {&d_in, &partial, &out, &n};
    OK(cudaLaunchCooperativeKernel(
        (const void *)normalise_kernel, dim3(BLOCKS), dim3(64), arguments, 0, 0));
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == total - in[i]);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
    OK(cudaFree(partial));
}

/* ---- odd-even sort: neighbours in different blocks take turns -------------------------------- */

__global__ void odd_even_sort_kernel(int *values, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int phase = 0; phase < n; phase++) {
        for (int i = 2 * (int)grid.thread_rank() + phase % 2; i + 1 < n; i += 2 * (int)grid.size())
            if (values[i] > values[i + 1]) {
                const int small = values[i + 1];
                values[i + 1] = values[i];
                values[i] = small;
            }
        grid.sync();
    }
}

static void odd_even_sort(void)
{
    enum { N = 90 };
    int values[N], n = N;
    for (int i = 0; i < N; i++)
        values[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d = device_copy(values, N);
    void *arguments[] = {&d, &n};
    OK(cudaLaunchCooperativeKernel(
        (const void *)odd_even_sort_kernel, dim3(3), dim3(16), arguments, 0, 0));
    FINISH();
    take(values, d, N);
    for (int i = 1; i < N; i++)
        EXPECT(values[i - 1] <= values[i]);
    digest(values, sizeof values);
}

/* ---- state that stays in shared memory ------------------------------------------------------- */

enum { PIECE = 32, PIECES = 4 };

__global__ void ring_kernel(int *edges, int *out, int steps)
{
    __shared__ int piece[PIECE];
    cg::grid_group grid = cg::this_grid();
    const int t = (int)threadIdx.x, b = (int)blockIdx.x;
    piece[t] = b * PIECE + t;
    for (int step = 0; step < steps; step++) {
        int *mine = edges + step % 2 * PIECES;
        __syncthreads();
        if (t == PIECE - 1)
            mine[b] = piece[t];
        grid.sync();
        const int before = t > 0 ? piece[t - 1] : mine[(b + PIECES - 1) % PIECES];
        __syncthreads();
        piece[t] = before;
    }
    out[b * PIECE + t] = piece[t];
}

static void shared_state(void)
{
    enum { N = PIECE * PIECES, STEPS = 11 };
    int *edges = device_array<int>(2 * PIECES), *out = device_array<int>(N), got[N];
    int steps = STEPS;
    void *arguments[] = {&edges, &out, &steps};
    OK(cudaLaunchCooperativeKernel(
        (const void *)ring_kernel, dim3(PIECES), dim3(PIECE), arguments, 0, 0));
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == (i + N - STEPS) % N);
    digest(got, sizeof got);
    OK(cudaFree(edges));
}

CORPUS_MAIN(CASE(stencil), CASE(partial_sums), CASE(odd_even_sort), CASE(shared_state))
