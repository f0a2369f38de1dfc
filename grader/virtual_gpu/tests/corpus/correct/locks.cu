/* Locks: the compare-and-swap makes them exclusive, the fences make what they guard visible. */
#include "../corpus.h"

#include <cuda/atomic>

/* ---- a spin lock for every thread ------------------------------------------------------------ */

__device__ void lock(int *mutex)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void unlock(int *mutex)
{
    __threadfence();
    atomicExch(mutex, 0);
}

__global__ void guarded_by_thread_kernel(int *mutex, int *total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            __threadfence();
            *total += (int)threadIdx.x;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}

static void spin_lock_of_threads(void)
{
    int *mutex = device_zeros<int>(1), *total = device_zeros<int>(1), sum;
    guarded_by_thread_kernel<<<3, 64>>>(mutex, total);
    FINISH();
    take(&sum, total, 1);
    EXPECT(sum == 3 * 64 * 63 / 2);
    digest(&sum, sizeof sum);
    OK(cudaFree(mutex));
}

/* The lock is taken in a loop of its own, so the winner must get on while the others spin. */
__global__ void guarded_in_line_kernel(int *mutex, int *total)
{
    lock(mutex);
    *total += 1;
    unlock(mutex);
}

static void spin_lock_in_line(void)
{
    int *mutex = device_zeros<int>(1), *total = device_zeros<int>(1), sum;
    guarded_in_line_kernel<<<2, 96>>>(mutex, total);
    FINISH();
    take(&sum, total, 1);
    EXPECT(sum == 192);
    digest(&sum, sizeof sum);
    OK(cudaFree(mutex));
}

/* ---- one thread takes it for its block ------------------------------------------------------- */

__global__ void guarded_by_block_kernel(int *mutex, int *table)
{
    if (threadIdx.x == 0)
        lock(mutex);
    __syncthreads();
    table[threadIdx.x] += (int)(blockIdx.x + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        unlock(mutex);
}

static void spin_lock_of_blocks(void)
{
    enum { THREADS = 96, BLOCKS = 7 };
    int *mutex = device_zeros<int>(1), *table = device_zeros<int>(THREADS);
    int got[THREADS], want[THREADS];
    guarded_by_block_kernel<<<BLOCKS, THREADS>>>(mutex, table);
    FINISH();
    take(got, table, THREADS);
    for (int t = 0; t < THREADS; t++)
        want[t] = BLOCKS * (BLOCKS - 1) / 2 + BLOCKS * t;
    EXPECT_SAME(got, want, THREADS);
    digest(got, sizeof got);
    OK(cudaFree(mutex));
}

/* ---- tickets --------------------------------------------------------------------------------- */

struct ticket_lock {
    unsigned next, serving;
};

__global__ void ticket_kernel(struct ticket_lock *queue, unsigned *log, unsigned *length)
{
    if (threadIdx.x != 0)
        return;
    const unsigned mine = atomicAdd(&queue->next, 1);
    while (atomicAdd(&queue->serving, 0) != mine)
        ;
    __threadfence();
    log[*length] = mine;
    *length += 1;
    __threadfence();
    atomicAdd(&queue->serving, 1);
}

static void ticket_lock_serves_in_order(void)
{
    enum { BLOCKS = 12 };
    struct ticket_lock *queue = device_zeros<struct ticket_lock>(1);
    unsigned *log = device_array<unsigned>(BLOCKS), *length = device_zeros<unsigned>(1);
    unsigned got[BLOCKS], count;
    ticket_kernel<<<BLOCKS, 32>>>(queue, log, length);
    FINISH();
    take(got, log, BLOCKS);
    take(&count, length, 1);
    EXPECT(count == BLOCKS);
    for (unsigned i = 0; i < BLOCKS; i++)
        EXPECT(got[i] == i);
    digest(got, sizeof got);
    OK(cudaFree(queue));
}

/* All lanes of a warp queue for one lock: each must get on while the others spin. */
__global__ void ticket_within_a_warp_kernel(struct ticket_lock *queue, unsigned *log, int *total)
{
    const unsigned mine = atomicAdd(&queue->next, 1);
    while (*(volatile unsigned *)&queue->serving != mine)
        ;
    __threadfence();
    log[mine] = blockIdx.x * blockDim.x + threadIdx.x;
    *total += (int)threadIdx.x;
    __threadfence();
    *(volatile unsigned *)&queue->serving = mine + 1;
}

static void ticket_lock_within_a_warp(void)
{
    enum { N = 2 * 48 };
    struct ticket_lock *queue = device_zeros<struct ticket_lock>(1);
    unsigned *log = device_array<unsigned>(N), got[N];
    int *total = device_zeros<int>(1), sum;
    bool seen[N] = {false};
    ticket_within_a_warp_kernel<<<2, 48>>>(queue, log, total);
    FINISH();
    take(got, log, N);
    take(&sum, total, 1);
    for (int i = 0; i < N; i++) {
        EXPECT(got[i] < N && !seen[got[i] % N]);
        seen[got[i] % N] = true;
    }
    EXPECT(sum == 2 * 48 * 47 / 2);
    digest(&sum, sizeof sum);
    OK(cudaFree(queue));
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* Each block waits for its turn and gives it on. Who has it last has seen that all others are done, and
 * sets it back as one writes any word. */
template <bool BY_VOLATILE> static __global__ void turns_kernel(unsigned *turn, unsigned *log)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> shown(*turn);
    if (threadIdx.x != 0)
        return;
    while ((BY_VOLATILE ? *(volatile unsigned *)turn : shown.load(cuda::memory_order_acquire)) !=
           blockIdx.x)
        ;
    if (BY_VOLATILE)
        __threadfence();
    log[blockIdx.x] = blockIdx.x == 0 ? 1 : 3 * log[blockIdx.x - 1] + 1;
    if (BY_VOLATILE)
        __threadfence();
    if (blockIdx.x == gridDim.x - 1)
        *turn = 0;
    else if (BY_VOLATILE)
        *(volatile unsigned *)turn = blockIdx.x + 1;
    else
        shown.store(blockIdx.x + 1, cuda::memory_order_release);
}

static void turns_set_back_by_the_last(void)
{
    enum { BLOCKS = 6 };
    unsigned *turn = device_zeros<unsigned>(1), got[BLOCKS], left;
    for (int call = 0; call < 4; call++) {
        unsigned *log = device_array<unsigned>(BLOCKS);
        if (call % 2 == 0)
            turns_kernel<true><<<BLOCKS, 32>>>(turn, log);
        else
            turns_kernel<false><<<BLOCKS, 32>>>(turn, log);
        FINISH();
        take(got, log, BLOCKS);
        EXPECT(got[BLOCKS - 1] == 364);
    }
    take(&left, turn, 1);
    EXPECT(left == 0);
    digest(got, sizeof got);
}

/* ---- look before you swap -------------------------------------------------------------------- */

__global__ void test_and_test_and_set_kernel(volatile int *mutex, int *total)
{
    if (threadIdx.x % 32 != 0)
        return;
    do {
        while (*mutex != 0)
            ;
    } while (atomicExch((int *)mutex, 1) != 0);
    __threadfence();
    total[0] += 1;
    total[1] += (int)blockIdx.x;
    __threadfence();
    *mutex = 0;
}

static void test_and_test_and_set(void)
{
    int *mutex = device_zeros<int>(1), *total = device_zeros<int>(2), sum[2];
    test_and_test_and_set_kernel<<<6, 64>>>(mutex, total);
    FINISH();
    take(sum, total, 2);
    EXPECT(sum[0] == 12 && sum[1] == 2 * 15);
    digest(sum, sizeof sum);
    OK(cudaFree(mutex));
}

/* ---- a lock in shared memory ----------------------------------------------------------------- */

__global__ void shared_lock_kernel(int *out)
{
    __shared__ int mutex, first, second;
    if (threadIdx.x == 0)
        mutex = first = second = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&mutex, 0, 1) == 0) {
            __threadfence_block();
            first += 1;
            second += first;
            __threadfence_block();
            atomicExch(&mutex, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = first;
        out[2 * blockIdx.x + 1] = second;
    }
}

static void lock_in_shared_memory(void)
{
    int *out = device_array<int>(4), got[4];
    shared_lock_kernel<<<2, 80>>>(out);
    FINISH();
    take(got, out, 4);
    EXPECT(got[0] == 80 && got[1] == 80 * 81 / 2 && got[2] == got[0] && got[3] == got[1]);
    digest(got, sizeof got);
}

/* ---- a lock for every bucket ----------------------------------------------------------------- */

enum { BUCKETS = 8, ENTRIES = 256 };

struct entry {
    int key, next; /* index, or -1 */
};

__global__ void insert_kernel(int *mutexes, int *heads, struct entry *entries)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int key = (int)(scrambled((unsigned)i) % 1000), bucket = key % BUCKETS;
    entries[i].key = key;
    for (bool done = false; !done;) {
        if (atomicCAS(&mutexes[bucket], 0, 1) == 0) {
            __threadfence();
            entries[i].next = heads[bucket];
            heads[bucket] = i;
            __threadfence();
            atomicExch(&mutexes[bucket], 0);
            done = true;
        }
    }
}

static void lists_with_a_lock_each(void)
{
    int *mutexes = device_zeros<int>(BUCKETS), *heads = device_array<int>(BUCKETS);
    struct entry *entries = device_array<struct entry>(ENTRIES);
    static struct entry got[ENTRIES];
    int first[BUCKETS], seen = 0;
    OK(cudaMemset(heads, 0xFF, BUCKETS * sizeof(int)));
    insert_kernel<<<4, ENTRIES / 4>>>(mutexes, heads, entries);
    FINISH();
    take(first, heads, BUCKETS);
    take(got, entries, ENTRIES);
    for (int b = 0; b < BUCKETS; b++)
        for (int at = first[b]; at >= 0 && seen <= ENTRIES; at = got[at].next, seen++)
            EXPECT(got[at].key % BUCKETS == b);
    EXPECT(seen == ENTRIES);
    digest(&seen, sizeof seen);
    OK(cudaFree(mutexes));
}

/* ---- a counting semaphore -------------------------------------------------------------------- */

__global__ void semaphore_kernel(int *places, int *inside, int *most, int *visits)
{
    if (threadIdx.x != 0)
        return;
    for (bool in = false; !in;) {
        const int free = atomicAdd(places, 0);
        in = free > 0 && atomicCAS(places, free, free - 1) == free;
    }
    atomicMax(most, atomicAdd(inside, 1) + 1);
    atomicAdd(visits, 1);
    atomicSub(inside, 1);
    atomicAdd(places, 1);
}

static void semaphore(void)
{
    const int two = 2;
    int *places = device_copy(&two, 1), *cells = device_zeros<int>(3), got[3];
    semaphore_kernel<<<9, 32>>>(places, cells, cells + 1, cells + 2);
    FINISH();
    take(got, cells, 3);
    EXPECT(got[0] == 0 && got[1] >= 1 && got[1] <= 2 && got[2] == 9);
    OK(cudaFree(places));
}

CORPUS_MAIN(CASE(spin_lock_of_threads), CASE(spin_lock_in_line), CASE(spin_lock_of_blocks),
    CASE(ticket_lock_serves_in_order), CASE(ticket_lock_within_a_warp),
    CASE(turns_set_back_by_the_last), CASE(test_and_test_and_set), CASE(lock_in_shared_memory),
    CASE(lists_with_a_lock_each), CASE(semaphore))
