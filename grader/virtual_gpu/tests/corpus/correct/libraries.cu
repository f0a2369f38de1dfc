/* What libcu++ and cuRAND offer to kernels: latches, semaphores, barriers of the device, random
 * numbers, tiles of several warps. */
#include "../corpus.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

/* init() and placement construct the objects in shared memory. */
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

/* ---- latch and semaphore --------------------------------------------------------------------- */

__global__ void latch_kernel(int *out)
{
    typedef cuda::latch<cuda::thread_scope_block> latch;
    __shared__ alignas(latch) unsigned char memory[sizeof(latch)];
    latch &ready = *(latch *)memory;
    __shared__ int values[96];
    const int t = (int)threadIdx.x;
    if (t == 0)
        new (memory) latch(64);
    __syncthreads();
    if (t < 64) {
        values[t] = 3 * t;
        ready.count_down();
    } else {
        ready.wait();
        out[t - 64] = values[t - 64] + values[127 - t];
    }
}

static void a_latch(void)
{
    int *out = device_array<int>(32), got[32];
    latch_kernel<<<1, 96>>>(out);
    FINISH();
    take(got, out, 32);
    for (int i = 0; i < 32; i++)
        EXPECT(got[i] == 3 * i + 3 * (63 - i));
    digest(got, sizeof got);
}

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> places(2);

__global__ void semaphore_kernel(int *inside, int *most, int *visits)
{
    if (threadIdx.x != 0)
        return;
    places.acquire();
    atomicMax(most, atomicAdd(inside, 1) + 1);
    atomicAdd(visits, 1);
    atomicSub(inside, 1);
    places.release();
}

static void a_semaphore(void)
{
    int *cells = device_zeros<int>(3), got[3];
    semaphore_kernel<<<8, 32>>>(cells, cells + 1, cells + 2);
    FINISH();
    take(got, cells, 3);
    EXPECT(got[0] == 0 && got[1] >= 1 && got[1] <= 2 && got[2] == 8);
}

/* ---- a barrier in global memory -------------------------------------------------------------- */

typedef cuda::barrier<cuda::thread_scope_device> device_barrier;

__global__ void make_barrier_kernel(device_barrier *barrier, int threads)
{
    init(barrier, threads);
}

__global__ void device_barrier_kernel(device_barrier *barrier, int *data, int *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    data[i] = (int)(i * i);
    barrier->arrive_and_wait();
    out[i] = data[n - 1 - i];
    barrier->arrive_and_wait();
    data[i] = -out[(i + 1) % n];
}

static void barrier_of_the_device(void)
{
    enum { N = 3 * 32 };
    device_barrier *barrier = device_array<device_barrier>(1);
    int *data = device_array<int>(N), *out = device_array<int>(N), got[N];
    make_barrier_kernel<<<1, 1>>>(barrier, N);
    void *arguments[] = {&barrier, &data, &out};
    OK(cudaLaunchCooperativeKernel(
        (const void *)device_barrier_kernel, dim3(3), dim3(32), arguments, 0, 0));
    FINISH();
    take(got, data, N);
    for (int i = 0; i < N; i++) {
        const int k = N - 1 - (i + 1) % N;
        EXPECT(got[i] == -k * k);
    }
    digest(got, sizeof got);
    OK(cudaFree(barrier));
    OK(cudaFree(out));
}

/* ---- tiles of several warps ------------------------------------------------------------------ */

#if CUDART_VERSION >= 12000
__global__ void large_tiles_kernel(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<256> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    const int x = in[block.thread_rank()];
    const int sum = cg::reduce(tile, x, cg::plus<int>());
    tile.sync();
    out[block.thread_rank()] = sum + tile.shfl(x, 63) + 1000000 * tile.any(x == 7);
}

static void tiles_of_several_warps(void)
{
    int in[256], got[256];
    for (int i = 0; i < 256; i++)
        in[i] = i == 70 ? 7 : (int)(scrambled((unsigned)i) % 1000) + 8;
    int *d_in = device_copy(in, 256), *out = device_array<int>(256);
    large_tiles_kernel<<<1, 256>>>(d_in, out);
    FINISH();
    take(got, out, 256);
    for (int i = 0; i < 256; i++) {
        int want = in[i / 64 * 64 + 63] + (i / 64 == 1 ? 1000000 : 0);
        for (int k = i / 64 * 64; k < i / 64 * 64 + 64; k++)
            want += in[k];
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}
#else
static void tiles_of_several_warps(void)
{
}
#endif

/* ---- random numbers -------------------------------------------------------------------------- */

#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>

template <class State> __global__ void seed_kernel(State *states)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
}

template <class State> __global__ void draw_kernel(State *states, float *out, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    State state = states[i];
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += curand_uniform(&state);
    out[i] = sum / (float)n + 0.001f * curand_normal(&state);
    states[i] = state;
}

template <class State> static void check_randomness(void)
{
    enum { N = 128 };
    State *states = device_array<State>(N);
    float *out = device_array<float>(N), got[N], sum = 0;
    seed_kernel<<<2, N / 2>>>(states);
    for (int round = 0; round < 2; round++)
        draw_kernel<<<2, N / 2>>>(states, out, 30);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++)
        sum += got[i];
    EXPECT(sum / N > 0.48f && sum / N < 0.52f && got[0] != got[1]);
    digest(got, sizeof got);
    OK(cudaFree(states));
}

static void random_numbers(void)
{
    check_randomness<curandStateXORWOW_t>();
    check_randomness<curandStatePhilox4_32_10_t>();
}
#else
static void random_numbers(void)
{
}
#endif

CORPUS_MAIN(CASE(a_latch), CASE(a_semaphore), CASE(barrier_of_the_device),
    CASE(tiles_of_several_warps), CASE(random_numbers))
