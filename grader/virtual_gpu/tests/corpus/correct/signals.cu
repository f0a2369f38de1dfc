/* One thread tells another: volatile flags with fences, atomics with acquire and release. */
#include "../corpus.h"

#include <cuda/atomic>

/* ---- volatile and __threadfence -------------------------------------------------------------- */

/* Block 0 produces, block 1 consumes. */
__global__ void mailbox_kernel(int *letter, volatile int *flag, int *out, int rounds)
{
    const int t = (int)threadIdx.x;
    for (int r = 1; r <= rounds; r++) {
        if (blockIdx.x == 0) {
            letter[t] = r * 100 + t;
            __threadfence();
            __syncthreads();
            if (t == 0) {
                *flag = r;
                while (*flag != -r)
                    ;
            }
            __syncthreads();
        } else {
            if (t == 0)
                while (*flag != r)
                    ;
            __syncthreads();
            __threadfence();
            out[t] = (r == 1 ? 0 : out[t]) + letter[t];
            __threadfence();
            __syncthreads();
            if (t == 0)
                *flag = -r;
        }
    }
}

static void volatile_mailbox(void)
{
    enum { THREADS = 48, ROUNDS = 3 };
    int *letter = device_array<int>(THREADS), *flag = device_zeros<int>(1);
    int *out = device_array<int>(THREADS), got[THREADS];
    mailbox_kernel<<<2, THREADS>>>(letter, flag, out, ROUNDS);
    FINISH();
    take(got, out, THREADS);
    for (int t = 0; t < THREADS; t++)
        EXPECT(got[t] == 600 + 3 * t);
    digest(got, sizeof got);
    OK(cudaFree(letter));
    OK(cudaFree(flag));
}

/* Warps of a block hand a value on, each to the next one. */
__global__ void relay_kernel(int *out)
{
    __shared__ volatile int flags[8];
    __shared__ int values[8];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 8)
        flags[threadIdx.x] = 0;
    __syncthreads();
    if (lane == 0) {
        int value = 1;
        if (warp > 0) {
            while (flags[warp - 1] == 0)
                ;
            __threadfence_block();
            value = values[warp - 1];
        }
        values[warp] = 3 * value + (int)warp;
        __threadfence_block();
        flags[warp] = 1;
        out[warp] = values[warp];
    }
}

static void relay_between_warps(void)
{
    int *out = device_array<int>(8), got[8];
    relay_kernel<<<1, 256>>>(out);
    FINISH();
    take(got, out, 8);
    for (int w = 0, value = 1; w < 8; w++)
        EXPECT(got[w] == (value = 3 * value + w));
    digest(got, sizeof got);
}

/* Lanes of one warp wait for each other, on either side of a branch. */
__global__ void lanes_kernel(volatile int *flags, int *data, int *out)
{
    const unsigned lane = threadIdx.x;
    if (lane % 2 == 0) {
        while (flags[lane + 1] == 0)
            ;
        __threadfence();
        data[lane] = 10 * data[lane + 1];
        __threadfence();
        flags[lane] = 1;
    } else {
        data[lane] = (int)lane;
        __threadfence();
        flags[lane] = 1;
        while (flags[lane - 1] == 0)
            ;
        __threadfence();
        out[lane / 2] = data[lane - 1];
    }
}

static void lanes_that_wait_for_each_other(void)
{
    int *flags = device_zeros<int>(32), *data = device_array<int>(32), *out = device_array<int>(16);
    int got[16];
    lanes_kernel<<<1, 32>>>(flags, data, out);
    FINISH();
    take(got, out, 16);
    for (int i = 0; i < 16; i++)
        EXPECT(got[i] == 10 * (2 * i + 1));
    digest(got, sizeof got);
    OK(cudaFree(flags));
    OK(cudaFree(data));
}

/* ---- cuda::atomic_ref ------------------------------------------------------------------------ */

__global__ void acquire_release_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (int i = 0; i < 10; i++)
            data[i] = i * i;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        int sum = 0;
        for (int i = 0; i < 10; i++)
            sum += data[i];
        out[blockIdx.x - 1] = sum;
    }
}

static void acquire_and_release(void)
{
    int *data = device_array<int>(10), *flag = device_zeros<int>(1), *out = device_array<int>(4);
    int got[4];
    acquire_release_kernel<<<5, 32>>>(data, flag, out);
    FINISH();
    take(got, out, 4);
    for (int i = 0; i < 4; i++)
        EXPECT(got[i] == 285);
    digest(got, sizeof got);
    OK(cudaFree(data));
    OK(cudaFree(flag));
}

/* Everyone adds to a counter, whose releases make one chain; who sees the last one reads all. */
__global__ void counted_kernel(int *data, int *counter, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> count(*counter);
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int n = (int)(gridDim.x * blockDim.x);
    data[i] = i + 1;
    if (count.fetch_add(1, cuda::memory_order_acq_rel) == n - 1) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += data[k];
        *out = sum;
    }
}

static void last_of_all_threads(void)
{
    enum { N = 3 * 40 };
    int *data = device_array<int>(N), *counter = device_zeros<int>(1), *out = device_array<int>(1);
    int got;
    counted_kernel<<<3, 40>>>(data, counter, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == N * (N + 1) / 2);
    digest(&got, sizeof got);
    OK(cudaFree(data));
    OK(cudaFree(counter));
}

/* Relaxed operations between fences order as much. */
__global__ void fenced_kernel(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *data = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            __nanosleep(100);
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = *data;
    }
}

static void fences_around_relaxed(void)
{
    int *data = device_array<int>(1), *flag = device_zeros<int>(1), *out = device_array<int>(1);
    int got;
    fenced_kernel<<<2, 32>>>(data, flag, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == 42);
    digest(&got, sizeof got);
    OK(cudaFree(data));
    OK(cudaFree(flag));
}

/* ---- a ring between two warps ---------------------------------------------------------------- */

enum { SLOTS = 4, ITEMS = 20 };

__global__ void ring_kernel(int *out)
{
    __shared__ int slots[SLOTS];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> written, consumed;
    if (threadIdx.x == 0) {
        written.store(0, cuda::memory_order_relaxed);
        consumed.store(0, cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < ITEMS; i++) {
            while (i - consumed.load(cuda::memory_order_acquire) >= SLOTS)
                ;
            slots[i % SLOTS] = 7 * i;
            written.store(i + 1, cuda::memory_order_release);
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < ITEMS; i++) {
            while (written.load(cuda::memory_order_acquire) <= i)
                ;
            out[i] = slots[i % SLOTS] + 1;
            consumed.store(i + 1, cuda::memory_order_release);
        }
    }
}

static void ring_between_warps(void)
{
    int *out = device_array<int>(ITEMS), got[ITEMS];
    ring_kernel<<<1, 64>>>(out);
    FINISH();
    take(got, out, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        EXPECT(got[i] == 7 * i + 1);
    digest(got, sizeof got);
}

/* ---- exchange: the value is the message ------------------------------------------------------ */

__global__ void exchange_kernel(unsigned long long *slot, unsigned long long *sum)
{
    if (threadIdx.x != 0)
        return;
    unsigned long long mine = blockIdx.x + 1ull;
    for (int r = 0; r < 3; r++)
        mine = atomicExch(slot, mine);
    atomicAdd(sum, mine);
}

static void exchanged_values(void)
{
    unsigned long long *cells = device_zeros<unsigned long long>(2), got[2];
    exchange_kernel<<<10, 32>>>(cells, cells + 1);
    FINISH();
    take(got, cells, 2);
    EXPECT(got[0] + got[1] == 55);
}

/* ---- a grid barrier built by hand ------------------------------------------------------------ */

__device__ unsigned arrivals;

__device__ void wait_for_all_blocks(unsigned round)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrivals, 1);
        while (*(volatile unsigned *)&arrivals < round * gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
}

__global__ void hand_made_barrier_kernel(int *a, int *b)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = (int)i;
    wait_for_all_blocks(1);
    b[i] = a[n - 1 - i] + a[(i + 1) % n];
    wait_for_all_blocks(2);
    a[i] = b[(i + 33) % n];
}

static void hand_made_grid_barrier(void)
{
    enum { N = 4 * 64 };
    int *a = device_array<int>(N), *b = device_array<int>(N), got[N];
    void *arguments[] = {&a, &b}; /* launched so that all blocks are resident */
    OK(cudaLaunchCooperativeKernel(
        (const void *)hand_made_barrier_kernel, dim3(4), dim3(64), arguments, 0, 0));
    FINISH();
    take(got, a, N);
    for (int i = 0; i < N; i++) {
        const int k = (i + 33) % N;
        EXPECT(got[i] == N - 1 - k + (k + 1) % N);
    }
    digest(got, sizeof got);
    OK(cudaFree(b));
}

CORPUS_MAIN(CASE(volatile_mailbox), CASE(relay_between_warps), CASE(lanes_that_wait_for_each_other),
    CASE(acquire_and_release), CASE(last_of_all_threads), CASE(fences_around_relaxed),
    CASE(ring_between_warps), CASE(exchanged_values), CASE(hand_made_grid_barrier))
