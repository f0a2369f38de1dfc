/* Counting: atomics in shared and global memory, private copies, contention. */
#include "../corpus.h"

enum { N = 4000, BINS = 50 };

static int in[N];
static unsigned want[BINS];

static int *upload(void)
{
    memset(want, 0, sizeof want);
    for (int i = 0; i < N; i++) {
        in[i] = (int)(scrambled((unsigned)i) % 97) * BINS / 97;
        want[in[i]]++;
    }
    return device_copy(in, N);
}

static void compare(unsigned *bins, int *d_in)
{
    unsigned got[BINS];
    take(got, bins, BINS);
    EXPECT_SAME(got, want, BINS);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

__global__ void global_kernel(const int *in, int n, unsigned *bins)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        atomicAdd(&bins[in[i]], 1);
}

static void in_global_memory(void)
{
    int *d_in = upload();
    unsigned *bins = device_zeros<unsigned>(BINS);
    global_kernel<<<6, 100>>>(d_in, N, bins);
    FINISH();
    compare(bins, d_in);
}

__global__ void shared_kernel(const int *in, int n, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        if (mine[b] != 0)
            atomicAdd(&bins[b], mine[b]);
}

static void in_shared_memory(void)
{
    int *d_in = upload();
    unsigned *bins = device_zeros<unsigned>(BINS);
    shared_kernel<<<5, 128>>>(d_in, N, bins);
    FINISH();
    compare(bins, d_in);
}

/* Every warp has its own copy; several warps add to one block's total at the end. */
__global__ void warp_copies_kernel(const int *in, int n, unsigned *bins)
{
    extern __shared__ unsigned copies[];
    const unsigned warps = blockDim.x / 32;
    unsigned *mine = copies + threadIdx.x / 32 * BINS;
    for (unsigned b = threadIdx.x % 32; b < BINS; b += 32)
        mine[b] = 0;
    __syncwarp();
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned sum = 0;
        for (unsigned w = 0; w < warps; w++)
            sum += copies[w * BINS + b];
        atomicAdd(&bins[b], sum);
    }
}

static void a_copy_for_every_warp(void)
{
    int *d_in = upload();
    unsigned *bins = device_zeros<unsigned>(BINS);
    warp_copies_kernel<<<3, 128, 4 * BINS * sizeof(unsigned)>>>(d_in, N, bins);
    FINISH();
    compare(bins, d_in);
}

/* A private counter a thread in a byte array, summed after the barrier. */
__global__ void byte_counters_kernel(const int *in, int n, unsigned *bins)
{
    __shared__ unsigned char counters[BINS][64];
    for (unsigned b = 0; b < BINS; b++)
        counters[b][threadIdx.x] = 0;
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(gridDim.x * blockDim.x))
        counters[in[i]][threadIdx.x]++;
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned sum = 0;
        for (unsigned t = 0; t < blockDim.x; t++)
            sum += counters[b][t];
        atomicAdd(&bins[b], sum);
    }
}

static void a_byte_for_every_thread(void)
{
    int *d_in = upload();
    unsigned *bins = device_zeros<unsigned>(BINS);
    byte_counters_kernel<<<4, 64>>>(d_in, N, bins);
    FINISH();
    compare(bins, d_in);
}

/* Lanes with the same bin elect one of them. */
__global__ void matched_kernel(const int *in, int n, unsigned *bins)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);;
         i += (int)(gridDim.x * blockDim.x)) {
        const unsigned active = __ballot_sync(0xFFFFFFFFu, i < n);
        if (active == 0)
            break;
        if (i >= n)
            continue;
        const unsigned same = __match_any_sync(active, in[i]);
        if ((int)(threadIdx.x % 32) == __ffs((int)same) - 1)
            atomicAdd(&bins[in[i]], (unsigned)__popc(same));
    }
}

static void one_atomic_for_equal_lanes(void)
{
    int *d_in = upload();
    unsigned *bins = device_zeros<unsigned>(BINS);
    matched_kernel<<<2, 96>>>(d_in, N, bins);
    FINISH();
    compare(bins, d_in);
}

CORPUS_MAIN(CASE(in_global_memory), CASE(in_shared_memory), CASE(a_copy_for_every_warp),
    CASE(a_byte_for_every_thread), CASE(one_atomic_for_equal_lanes))
