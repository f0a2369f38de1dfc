/* Copies that run beside the kernel: cp.async, pipelines, cuda::barrier. */
#include "../corpus.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

/* init() constructs the barriers. */
#pragma nv_diag_suppress static_var_with_dynamic_init

enum { THREADS = 64, TILES = 6, N = THREADS * TILES };

static int in[N];

static int *upload(void)
{
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    return device_copy(in, N);
}

/* Every kernel writes, for each tile, its elements back to front. */
static void compare(int *out, int *d_in)
{
    int got[N];
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == in[i / THREADS * THREADS + THREADS - 1 - i % THREADS]);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- the C interface ------------------------------------------------------------------------- */

__global__ void primitives_kernel(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int t = (int)threadIdx.x;
    __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int k = 0; k < TILES; k++) {
        if (k + 1 < TILES)
            __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * THREADS + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[k * THREADS + t] = tile[k % 2][THREADS - 1 - t];
        __syncthreads();
    }
}

static void primitives(void)
{
    int *d_in = upload(), *out = device_array<int>(N);
    primitives_kernel<<<1, THREADS>>>(d_in, out);
    FINISH();
    compare(out, d_in);
}

/* Sixteen bytes a thread, the rest of the tile zero-filled. */
__global__ void sixteen_bytes_kernel(const int4 *in, int *out, int n)
{
    __shared__ int4 tile[THREADS];
    const int t = (int)threadIdx.x, at = (int)blockIdx.x * THREADS + t;
    const size_t missing = at < n ? 0 : sizeof(int4);
    __pipeline_memcpy_async(&tile[t], &in[at < n ? at : 0], sizeof(int4), missing);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const int4 other = tile[THREADS - 1 - t];
    out[at] = other.x + other.y + other.z + other.w;
}

static void zero_filled(void)
{
    enum { QUADS = N / 4, BLOCKS = (QUADS + THREADS - 1) / THREADS };
    int *d_in = upload(), *out = device_array<int>(BLOCKS * THREADS), got[BLOCKS * THREADS];
    sixteen_bytes_kernel<<<BLOCKS, THREADS>>>((const int4 *)d_in, out, QUADS);
    FINISH();
    take(got, out, BLOCKS * THREADS);
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        const int q = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
        const int want = q < QUADS ? in[4 * q] + in[4 * q + 1] + in[4 * q + 2] + in[4 * q + 3] : 0;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- cuda::pipeline -------------------------------------------------------------------------- */

__global__ void pipeline_kernel(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state);
    const int t = (int)threadIdx.x;
    for (int k = 0, fetched = 0; k < TILES; k++) {
        for (; fetched < TILES && fetched < k + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(
                block, tile[fetched % 2], in + fetched * THREADS, sizeof(int) * THREADS, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[k * THREADS + t] = tile[k % 2][THREADS - 1 - t];
        pipe.consumer_release();
    }
}

static void pipeline_of_two_stages(void)
{
    int *d_in = upload(), *out = device_array<int>(N);
    pipeline_kernel<<<1, THREADS>>>(d_in, out);
    FINISH();
    compare(out, d_in);
}

/* ---- cg::memcpy_async ------------------------------------------------------------------------ */

__global__ void group_copy_kernel(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    cg::thread_block block = cg::this_thread_block();
    for (int k = 0; k < TILES; k++) {
        cg::memcpy_async(block, tile, in + k * THREADS, sizeof tile);
        cg::wait(block);
        out[k * THREADS + (int)threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
        block.sync();
    }
}

static void copies_of_a_group(void)
{
    int *d_in = upload(), *out = device_array<int>(N);
    group_copy_kernel<<<1, THREADS>>>(d_in, out);
    FINISH();
    compare(out, d_in);
}

/* ---- cuda::barrier --------------------------------------------------------------------------- */

__global__ void barrier_copy_kernel(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&arrived, THREADS);
    block.sync();
    for (int k = 0; k < TILES; k++) {
        cuda::memcpy_async(block, tile, in + k * THREADS, sizeof tile, arrived);
        arrived.arrive_and_wait();
        out[k * THREADS + (int)threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
        arrived.arrive_and_wait();
    }
}

static void copies_with_a_barrier(void)
{
    int *d_in = upload(), *out = device_array<int>(N);
    barrier_copy_kernel<<<1, THREADS>>>(d_in, out);
    FINISH();
    compare(out, d_in);
}

/* Arrive, do something else, wait: the token names the phase. */
__global__ void split_barrier_kernel(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    const int t = (int)threadIdx.x;
    if (t == 0)
        init(&arrived, THREADS);
    __syncthreads();
    for (int k = 0; k < TILES; k++) {
        tile[k % 2][t] = in[k * THREADS + t];
        cuda::barrier<cuda::thread_scope_block>::arrival_token token = arrived.arrive();
        const int index = THREADS - 1 - t;
        arrived.wait(cuda::std::move(token));
        out[k * THREADS + t] = tile[k % 2][index];
    }
}

static void split_arrive_and_wait(void)
{
    int *d_in = upload(), *out = device_array<int>(N);
    split_barrier_kernel<<<1, THREADS>>>(d_in, out);
    FINISH();
    compare(out, d_in);
}

/* Half the block loads, the other half uses; two barriers, full and empty. */
__global__ void specialised_kernel(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    const int t = (int)threadIdx.x;
    if (t == 0) {
        init(&full, 2 * THREADS);
        init(&empty, 2 * THREADS);
    }
    __syncthreads();
    if (t < THREADS) {
        for (int k = 0; k < TILES; k++) {
            empty.arrive_and_wait();
            tile[t] = in[k * THREADS + t];
            (void)full.arrive();
        }
    } else {
        (void)empty.arrive();
        for (int k = 0; k < TILES; k++) {
            full.arrive_and_wait();
            out[k * THREADS + t - THREADS] = tile[2 * THREADS - 1 - t];
            if (k + 1 < TILES)
                (void)empty.arrive();
        }
    }
}

static void specialised_warps(void)
{
    int *d_in = upload(), *out = device_array<int>(N);
    specialised_kernel<<<1, 2 * THREADS>>>(d_in, out);
    FINISH();
    compare(out, d_in);
}

CORPUS_MAIN(CASE(primitives), CASE(zero_filled), CASE(pipeline_of_two_stages),
    CASE(copies_of_a_group), CASE(copies_with_a_barrier), CASE(split_arrive_and_wait),
    CASE(specialised_warps))
