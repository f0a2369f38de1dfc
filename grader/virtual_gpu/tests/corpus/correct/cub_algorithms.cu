/* CUB: what its block and device algorithms do inside is no race. */
#include "../corpus.h"

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/warp/warp_reduce.cuh>

enum { THREADS = 96 };
constexpr int N = 5000;

static int in[N];

static int *upload(void)
{
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    return device_copy(in, N);
}

/* ---- within a block -------------------------------------------------------------------------- */

__global__ void block_kernel(const int *in, int *sums, int *scans, int *sorted, int *warp_sums)
{
    typedef cub::BlockReduce<int, THREADS> reduce;
    typedef cub::BlockScan<int, THREADS> scan;
    typedef cub::BlockRadixSort<int, THREADS, 2> sort;
    typedef cub::WarpReduce<int> warp_reduce;
    __shared__ union {
        typename reduce::TempStorage reduce;
        typename scan::TempStorage scan;
        typename sort::TempStorage sort;
        typename warp_reduce::TempStorage warp[THREADS / 32];
    } scratch;
    const int t = (int)threadIdx.x, i = (int)blockIdx.x * THREADS + t;
    const int sum = reduce(scratch.reduce).Sum(in[i]);
    if (t == 0)
        sums[blockIdx.x] = sum;
    __syncthreads();
    int before;
    scan(scratch.scan).ExclusiveSum(in[i], before);
    scans[i] = before;
    __syncthreads();
    int pair[2] = {in[2 * i], in[2 * i + 1]};
    sort(scratch.sort).Sort(pair);
    sorted[2 * i] = pair[0];
    sorted[2 * i + 1] = pair[1];
    __syncthreads();
    const int warp_sum = warp_reduce(scratch.warp[t / 32]).Sum(in[i]);
    if (t % 32 == 0)
        warp_sums[i / 32] = warp_sum;
}

static void block_algorithms(void)
{
    enum { BLOCKS = 4, M = BLOCKS * THREADS };
    int *d_in = upload(), *sums = device_array<int>(BLOCKS), *scans = device_array<int>(M);
    int *sorted = device_array<int>(2 * M), *warps = device_array<int>(M / 32);
    int got_sums[BLOCKS], got_scans[M], got_sorted[2 * M], got_warps[M / 32];
    block_kernel<<<BLOCKS, THREADS>>>(d_in, sums, scans, sorted, warps);
    FINISH();
    take(got_sums, sums, BLOCKS);
    take(got_scans, scans, M);
    take(got_sorted, sorted, 2 * M);
    take(got_warps, warps, M / 32);
    for (int i = 0, sum = 0, warp = 0; i < M; i++) {
        sum = i % THREADS == 0 ? 0 : sum;
        warp = i % 32 == 0 ? 0 : warp;
        EXPECT(got_scans[i] == sum);
        sum += in[i];
        warp += in[i];
        EXPECT(i % THREADS != THREADS - 1 || got_sums[i / THREADS] == sum);
        EXPECT(i % 32 != 31 || got_warps[i / 32] == warp);
    }
    for (int i = 0; i < 2 * M; i++)
        EXPECT(i % (2 * THREADS) == 0 || got_sorted[i - 1] <= got_sorted[i]);
    digest(got_sums, sizeof got_sums);
    digest(got_sorted, sizeof got_sorted);
    OK(cudaFree(d_in));
}

/* ---- of the whole device --------------------------------------------------------------------- */

static void device_reduce(void)
{
    int *d_in = upload(), *out = device_array<int>(2), got[2], sum = 0, most = 0;
    void *scratch = NULL;
    size_t bytes = 0;
    OK(cub::DeviceReduce::Sum(scratch, bytes, d_in, out, N));
    OK(cudaMalloc(&scratch, bytes));
    OK(cub::DeviceReduce::Sum(scratch, bytes, d_in, out, N));
    OK(cudaDeviceSynchronize());
    OK(cub::DeviceReduce::Max(scratch, bytes, d_in, out + 1, N));
    OK(cudaDeviceSynchronize());
    take(got, out, 2);
    for (int i = 0; i < N; i++) {
        sum += in[i];
        most = in[i] > most ? in[i] : most;
    }
    EXPECT(got[0] == sum && got[1] == most);
    digest(got, sizeof got);
    OK(cudaFree(scratch));
    OK(cudaFree(d_in));
}

static void device_scan(void)
{
    static int got[N];
    int *d_in = upload(), *out = device_array<int>(N), sum = 0;
    void *scratch = NULL;
    size_t bytes = 0;
    OK(cub::DeviceScan::InclusiveSum(scratch, bytes, d_in, out, N));
    OK(cudaMalloc(&scratch, bytes));
    OK(cub::DeviceScan::InclusiveSum(scratch, bytes, d_in, out, N));
    OK(cudaDeviceSynchronize());
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == (sum += in[i]));
    digest(got, sizeof got);
    OK(cudaFree(scratch));
    OK(cudaFree(d_in));
}

struct is_small {
    __host__ __device__ bool operator()(int x) const
    {
        return x < 300;
    }
};

static void device_select(void)
{
    static int got[N];
    int *d_in = upload(), *out = device_array<int>(N), *count = device_array<int>(1), n, kept = 0;
    void *scratch = NULL;
    size_t bytes = 0;
    OK(cub::DeviceSelect::If(scratch, bytes, d_in, out, count, N, is_small()));
    OK(cudaMalloc(&scratch, bytes));
    OK(cub::DeviceSelect::If(scratch, bytes, d_in, out, count, N, is_small()));
    OK(cudaDeviceSynchronize());
    take(&n, count, 1);
    take(got, out, (size_t)n);
    for (int i = 0; i < N; i++)
        if (in[i] < 300 && kept < n) {
            EXPECT(got[kept] == in[i]);
            kept++;
        }
    EXPECT(kept == n && n > 1000);
    digest(got, (size_t)n * sizeof got[0]);
    OK(cudaFree(scratch));
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(block_algorithms), CASE(device_reduce), CASE(device_scan), CASE(device_select))
