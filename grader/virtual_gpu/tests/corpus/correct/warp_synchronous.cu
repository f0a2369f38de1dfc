/* Lanes that talk through shared memory, with __syncwarp between writing and reading. */
#include "../corpus.h"

/* ---- the tail of a reduction ----------------------------------------------------------------- */

__global__ void warp_tail_kernel(const int *in, int *out)
{
    __shared__ int tile[128];
    const unsigned t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    if (t < 64)
        tile[t] += tile[t + 64];
    __syncthreads();
    if (t < 32) {
        int x = tile[t] + tile[t + 32];
        __syncwarp();
        tile[t] = x;
        __syncwarp();
        for (unsigned half = 16; half > 0; half /= 2) {
            if (t < half)
                x += tile[t + half];
            __syncwarp();
            if (t < half)
                tile[t] = x;
            __syncwarp();
        }
        if (t == 0)
            *out = x;
    }
}

static void reduction_tail(void)
{
    int in[128], got, want = 0;
    for (int i = 0; i < 128; i++)
        want += in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, 128), *out = device_array<int>(1);
    warp_tail_kernel<<<1, 128>>>(d_in, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == want);
    digest(&got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- a transpose by each warp in its own tile ------------------------------------------------ */

__global__ void warp_transpose_kernel(const int *in, int *out)
{
    __shared__ int tiles[3][8][9];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (unsigned i = lane; i < 64; i += 32)
        tiles[warp][i / 8][i % 8] = in[warp * 64 + i];
    __syncwarp();
    for (unsigned i = lane; i < 64; i += 32)
        out[warp * 64 + i] = tiles[warp][i % 8][i / 8];
}

static void transpose_in_a_warp(void)
{
    int in[192], got[192];
    for (int i = 0; i < 192; i++)
        in[i] = i;
    int *d_in = device_copy(in, 192), *out = device_array<int>(192);
    warp_transpose_kernel<<<1, 96>>>(d_in, out);
    FINISH();
    take(got, out, 192);
    for (int i = 0; i < 192; i++)
        EXPECT(got[i] == i / 64 * 64 + i % 8 * 8 + i % 64 / 8);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- half warps on their own ----------------------------------------------------------------- */

__global__ void half_warp_kernel(int *out)
{
    __shared__ int tile[64];
    const unsigned lane = threadIdx.x % 32, half = lane / 16;
    const unsigned mask = half == 0 ? 0x0000FFFFu : 0xFFFF0000u;
    tile[threadIdx.x] = (int)threadIdx.x;
    if (half == 0) {
        for (int step = 1; step < 16; step *= 2) {
            __syncwarp(mask);
            const int x = lane >= (unsigned)step ? tile[threadIdx.x - (unsigned)step] : 0;
            __syncwarp(mask);
            tile[threadIdx.x] += x;
        }
    } else {
        __syncwarp(mask);
        const int x = tile[threadIdx.x ^ 15];
        __syncwarp(mask);
        tile[threadIdx.x] = -x;
    }
    out[threadIdx.x] = tile[threadIdx.x];
}

static void half_warps_apart(void)
{
    int *out = device_array<int>(64), got[64];
    half_warp_kernel<<<1, 64>>>(out);
    FINISH();
    take(got, out, 64);
    for (int t = 0; t < 64; t++) {
        int want = 0;
        for (int k = t / 32 * 32; k <= t; k++)
            want += k;
        EXPECT(got[t] == (t % 32 < 16 ? want : -(t ^ 15)));
    }
    digest(got, sizeof got);
}

/* ---- a leader prepares, the others use ------------------------------------------------------- */

__global__ void leader_kernel(const int *in, int *out)
{
    __shared__ int limits[4][2];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        limits[warp][0] = in[warp] - 5;
    else if (lane == 31)
        limits[warp][1] = in[warp] + 5;
    __syncwarp();
    out[threadIdx.x] = min(max((int)threadIdx.x, limits[warp][0]), limits[warp][1]);
    __syncwarp();
    if (lane == 7)
        limits[warp][0] = limits[warp][1] = 0;
}

static void leader_prepares(void)
{
    const int in[4] = {3, 40, 90, 120};
    int *d_in = device_copy(in, 4), *out = device_array<int>(128), got[128];
    leader_kernel<<<1, 128>>>(d_in, out);
    FINISH();
    take(got, out, 128);
    for (int t = 0; t < 128; t++) {
        const int low = in[t / 32] - 5, high = in[t / 32] + 5;
        EXPECT(got[t] == (t < low ? low : t > high ? high : t));
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- a warp hands work on through global memory ---------------------------------------------- */

__global__ void through_global_kernel(int *scratch, int *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    scratch[i] = (int)(i * i);
    __syncwarp();
    out[i] = scratch[i - lane + (lane + 7) % 32];
}

static void through_global_memory(void)
{
    int *scratch = device_array<int>(256), *out = device_array<int>(256), got[256];
    through_global_kernel<<<2, 128>>>(scratch, out);
    FINISH();
    take(got, out, 256);
    for (int i = 0; i < 256; i++) {
        const int k = i / 32 * 32 + (i % 32 + 7) % 32;
        EXPECT(got[i] == k * k);
    }
    digest(got, sizeof got);
    OK(cudaFree(scratch));
}

/* ---- the last warp of the block is not full -------------------------------------------------- */

__global__ void ragged_kernel(int *out)
{
    __shared__ int tile[128];
    const unsigned t = threadIdx.x, first = t / 32 * 32;
    const unsigned lanes = min(32u, blockDim.x - first);
    tile[t] = (int)t;
    __syncwarp();
    int sum = 0;
    for (unsigned k = 0; k < lanes; k++)
        sum += tile[first + k];
    out[t] = sum;
}

static void warp_that_is_not_full(void)
{
    enum { THREADS = 75 };
    int *out = device_array<int>(THREADS), got[THREADS];
    ragged_kernel<<<1, THREADS>>>(out);
    FINISH();
    take(got, out, THREADS);
    for (int t = 0; t < THREADS; t++) {
        int want = 0;
        for (int k = t / 32 * 32; k < THREADS && k < t / 32 * 32 + 32; k++)
            want += k;
        EXPECT(got[t] == want);
    }
    digest(got, sizeof got);
}

CORPUS_MAIN(CASE(reduction_tail), CASE(transpose_in_a_warp), CASE(half_warps_apart),
    CASE(leader_prepares), CASE(through_global_memory), CASE(warp_that_is_not_full))
