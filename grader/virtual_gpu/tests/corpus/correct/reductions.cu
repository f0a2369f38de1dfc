/* Sums, the classical ways. */
#include "../corpus.h"

enum { THREADS = 128, BLOCKS = 6, N = 5000 };

static float in[N];
static double want;

static float *upload(void)
{
    want = 0;
    for (int i = 0; i < N; i++)
        want += in[i] = (float)(scrambled((unsigned)i) % 100); /* all sums are exact */
    return device_copy(in, N);
}

typedef void sum_kernel(const float *, float *, int);

static void check_sum(sum_kernel *kernel, int blocks)
{
    float got, *d_in = upload(), *out = device_zeros<float>(1);
    kernel<<<blocks, THREADS>>>(d_in, out, N);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == want);
    digest(&got, sizeof got);
    OK(cudaFree(d_in));
}

__device__ float sum_of_thread(const float *in, int n)
{
    float sum = 0;
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        sum += in[i];
    return sum;
}

__global__ void atomic_kernel(const float *in, float *out, int n)
{
    atomicAdd(out, sum_of_thread(in, n));
}

__global__ void interleaved_kernel(const float *in, float *out, int n)
{
    __shared__ float tile[THREADS];
    tile[threadIdx.x] = sum_of_thread(in, n);
    for (unsigned step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * step) == 0)
            tile[threadIdx.x] += tile[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        atomicAdd(out, tile[0]);
}

/* Warps that have nothing left to add leave; a barrier does not wait for those that have gone. */
__global__ void leaving_kernel(const float *in, float *out, int n)
{
    __shared__ float tile[THREADS];
    tile[threadIdx.x] = sum_of_thread(in, n);
    __syncthreads();
    for (unsigned half = THREADS / 2; half >= 32; half /= 2) {
        if (threadIdx.x >= half)
            return;
        tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    float sum = tile[threadIdx.x];
    for (unsigned step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

/* Sums of warps, then one warp. */
__global__ void two_levels_kernel(const float *in, float *out, int n)
{
    __shared__ float warps[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = sum_of_thread(in, n);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp != 0)
        return;
    sum = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
    if (lane == 0)
        atomicAdd(out, sum);
}

/* Four floats at a time, and the rest one by one. */
__global__ void vector_kernel(const float *in, float *out, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), all = (int)(gridDim.x * blockDim.x);
    float sum = 0;
    for (int k = i; k < n / 4; k += all) {
        const float4 v = ((const float4 *)in)[k];
        sum += v.x + v.y + v.z + v.w;
    }
    for (int k = n / 4 * 4 + i; k < n; k += all)
        sum += in[k];
    for (unsigned step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

static void atomic_for_every_thread(void)
{
    check_sum(atomic_kernel, BLOCKS);
}
static void tree_interleaved(void)
{
    check_sum(interleaved_kernel, BLOCKS);
}
static void tree_whose_warps_leave(void)
{
    check_sum(leaving_kernel, BLOCKS);
}
static void warps_then_one_warp(void)
{
    check_sum(two_levels_kernel, BLOCKS);
}
static void four_at_a_time(void)
{
    check_sum(vector_kernel, BLOCKS);
}

/* Rows by warps, columns by threads, of one matrix. */
__global__ void rows_and_columns_kernel(
    const float *in, float *rows, float *columns, int height, int width)
{
    const int warp = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32,
              lane = (int)threadIdx.x % 32;
    if (warp < height) {
        float sum = 0;
        for (int x = lane; x < width; x += 32)
            sum += in[warp * width + x];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xFFFFFFFFu, sum, step);
        if (lane == 0)
            rows[warp] = sum;
    }
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x < width) {
        float sum = 0;
        for (int y = 0; y < height; y++)
            sum += in[y * width + x];
        columns[x] = sum;
    }
}

static void rows_and_columns(void)
{
    enum { HEIGHT = 20, WIDTH = 250 };
    float *d_in = upload(), *d_rows = device_array<float>(HEIGHT);
    float *d_columns = device_array<float>(WIDTH), rows[HEIGHT], columns[WIDTH];
    rows_and_columns_kernel<<<5, 160>>>(d_in, d_rows, d_columns, HEIGHT, WIDTH);
    FINISH();
    take(rows, d_rows, HEIGHT);
    take(columns, d_columns, WIDTH);
    for (int y = 0; y < HEIGHT; y++) {
        float sum = 0;
        for (int x = 0; x < WIDTH; x++)
            sum += in[y * WIDTH + x];
        EXPECT(rows[y] == sum);
    }
    for (int x = 0; x < WIDTH; x++) {
        float sum = 0;
        for (int y = 0; y < HEIGHT; y++)
            sum += in[y * WIDTH + x];
        EXPECT(columns[x] == sum);
    }
    digest(rows, sizeof rows);
    digest(columns, sizeof columns);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(atomic_for_every_thread), CASE(tree_interleaved), CASE(tree_whose_warps_leave),
    CASE(warps_then_one_warp), CASE(four_at_a_time), CASE(rows_and_columns))
