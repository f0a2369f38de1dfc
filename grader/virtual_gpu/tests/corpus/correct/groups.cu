/* Cooperative groups within a block: tiles of every size, coalesced and labelled groups. */
#include "../corpus.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

/* ---- tiles ----------------------------------------------------------------------------------- */

template <unsigned Size> __device__ void use_tile(const int *in, int *out)
{
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(cg::this_thread_block());
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), x = in[i];
    int sum = x;
    for (unsigned step = Size / 2; step > 0; step /= 2)
        sum += tile.shfl_xor(sum, step);
    const int most = cg::reduce(tile, x, cg::greater<int>());
    const int before = cg::exclusive_scan(tile, x);
    const unsigned big = tile.ballot(x > 500);
    out[4 * i] = sum + (int)tile.meta_group_rank();
    out[4 * i + 1] = most;
    out[4 * i + 2] = before;
    out[4 * i + 3] = __popc(big) + 100 * (tile.any(x == 7) != 0) + 200 * (int)tile.thread_rank();
    tile.sync();
}

template <unsigned Size> __global__ void tiles_kernel(const int *in, int *out)
{
    use_tile<Size>(in, out);
}

template <unsigned Size> static void check_tiles(const int *in, const int *d_in, int n)
{
    int *out = device_array<int>(4 * (size_t)n), *got = (int *)malloc(16 * (size_t)n);
    tiles_kernel<Size><<<2, n / 2>>>(d_in, out);
    FINISH();
    take(got, out, 4 * (size_t)n);
    for (int i = 0; i < n; i++) {
        const int first = i / (int)Size * (int)Size;
        int want[4] = {i % (n / 2) / (int)Size, 0, 0, 200 * (i - first)}, seven = 0;
        for (int k = first; k < first + (int)Size; k++) {
            want[0] += in[k];
            want[1] = in[k] > want[1] ? in[k] : want[1];
            want[2] += k < i ? in[k] : 0;
            want[3] += in[k] > 500;
            seven |= in[k] == 7;
        }
        want[3] += 100 * seven;
        EXPECT_SAME(got + 4 * i, want, 4);
    }
    digest(got, 16 * (size_t)n);
    free(got);
}

static void tiles_of_every_size(void)
{
    enum { N = 128 };
    int in[N];
    for (int i = 0; i < N; i++)
        in[i] = i % 20 == 3 ? 7 : (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N);
    check_tiles<1>(in, d_in, N);
    check_tiles<2>(in, d_in, N);
    check_tiles<4>(in, d_in, N);
    check_tiles<8>(in, d_in, N);
    check_tiles<16>(in, d_in, N);
    check_tiles<32>(in, d_in, N);
    OK(cudaFree(d_in));
}

/* Some tiles have more to do than others, and synchronise among themselves. */
__global__ void uneven_tiles_kernel(const int *lengths, int *out)
{
    __shared__ int tile_memory[96];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int *mine = tile_memory + tile.meta_group_rank() * 8;
    const int rank = (int)tile.thread_rank(), length = lengths[tile.meta_group_rank()];
    mine[rank] = rank;
    for (int k = 0; k < length; k++) {
        tile.sync();
        const int x = mine[(rank + 1) % 8];
        tile.sync();
        mine[rank] = x + 1;
    }
    tile.sync();
    out[threadIdx.x] = mine[7 - rank];
}

static void tiles_of_uneven_work(void)
{
    int lengths[12], got[96];
    for (int i = 0; i < 12; i++)
        lengths[i] = (int)(scrambled((unsigned)i) % 6);
    int *d_lengths = device_copy(lengths, 12), *out = device_array<int>(96);
    uneven_tiles_kernel<<<1, 96>>>(d_lengths, out);
    FINISH();
    take(got, out, 96);
    for (int t = 0; t < 96; t++) {
        const int length = lengths[t / 8];
        EXPECT(got[t] == (7 - t % 8 + length) % 8 + length);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_lengths));
}

/* ---- groups that form themselves ------------------------------------------------------------- */

__global__ void coalesced_kernel(const int *in, int *out, int *count, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n || in[i] % 2 == 0)
        return;
    cg::coalesced_group group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0)
        base = atomicAdd(count, (int)group.size());
    out[group.shfl(base, 0) + (int)group.thread_rank()] = in[i];
}

static void coalesced_append(void)
{
    enum { N = 500 };
    int in[N], got[N], count, want_count = 0;
    long long sum = 0, want_sum = 0;
    for (int i = 0; i < N; i++) {
        in[i] = (int)(scrambled((unsigned)i) % 1000);
        want_count += in[i] % 2;
        want_sum += in[i] % 2 ? in[i] * in[i] : 0;
    }
    int *d_in = device_copy(in, N), *out = device_zeros<int>(N), *d_count = device_zeros<int>(1);
    coalesced_kernel<<<4, 130>>>(d_in, out, d_count, N);
    FINISH();
    take(got, out, N);
    take(&count, d_count, 1);
    for (int i = 0; i < N; i++)
        sum += got[i] * got[i];
    EXPECT(count == want_count && sum == want_sum);
    digest(&sum, sizeof sum);
    OK(cudaFree(d_in));
}

__global__ void labelled_kernel(const int *in, int *sums, int *sizes)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int x = in[threadIdx.x];
    cg::coalesced_group same = cg::labeled_partition(warp, x % 5);
    cg::coalesced_group half = cg::binary_partition(warp, x > 500);
    sums[threadIdx.x] = cg::reduce(same, x, cg::plus<int>());
    sizes[threadIdx.x] = (int)half.size();
}

static void labelled_groups(void)
{
    int in[64], sums[64], sizes[64];
    for (int i = 0; i < 64; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, 64), *d_sums = device_array<int>(64),
        *d_sizes = device_array<int>(64);
    labelled_kernel<<<1, 64>>>(d_in, d_sums, d_sizes);
    FINISH();
    take(sums, d_sums, 64);
    take(sizes, d_sizes, 64);
    for (int i = 0; i < 64; i++) {
        int sum = 0, size = 0;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++) {
            sum += in[k] % 5 == in[i] % 5 ? in[k] : 0;
            size += (in[k] > 500) == (in[i] > 500);
        }
        EXPECT(sums[i] == sum && sizes[i] == size);
    }
    digest(sums, sizeof sums);
    digest(sizes, sizeof sizes);
    OK(cudaFree(d_in));
}

/* ---- the block as a group -------------------------------------------------------------------- */

__global__ void block_group_kernel(const int *in, int *out)
{
    __shared__ int partial[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const int x = in[blockIdx.x * block.size() + block.thread_rank()];
    const int sum = cg::reduce(warp, x, cg::plus<int>());
    if (warp.thread_rank() == 0)
        partial[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        const bool filled = warp.thread_rank() < warp.meta_group_size();
        const int total =
            cg::reduce(warp, filled ? partial[warp.thread_rank()] : 0, cg::plus<int>());
        if (warp.thread_rank() == 0)
            out[blockIdx.x] = total;
    }
}

static void block_as_a_group(void)
{
    enum { THREADS = 160, BLOCKS = 3 };
    int in[THREADS * BLOCKS], got[BLOCKS], want[BLOCKS] = {0};
    for (int i = 0; i < THREADS * BLOCKS; i++)
        want[i / THREADS] += in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, THREADS * BLOCKS), *out = device_array<int>(BLOCKS);
    block_group_kernel<<<BLOCKS, dim3(16, 10)>>>(d_in, out);
    FINISH();
    take(got, out, BLOCKS);
    EXPECT_SAME(got, want, BLOCKS);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(tiles_of_every_size), CASE(tiles_of_uneven_work), CASE(coalesced_append),
    CASE(labelled_groups), CASE(block_as_a_group))
