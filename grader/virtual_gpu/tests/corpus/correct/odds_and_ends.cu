/* Patterns that a checker gets wrong easily. */
#include "../corpus.h"

/* ---- order that comes by two steps ----------------------------------------------------------- */

/* Lane 0 tells lane 1, lane 1 tells lane 2: lane 2 may read what lane 0 wrote. */
__global__ void by_way_of_kernel(const int *in, int *out, unsigned from)
{
    __shared__ int tile[32];
    const unsigned lane = threadIdx.x;
    tile[lane] = in[lane];
    if (lane < 2)
        __syncwarp(3);
    if (lane == 1)
        tile[1] += tile[from];
    if (lane == 1 || lane == 2)
        __syncwarp(6);
    if (lane == 2)
        *out = tile[from] + tile[from + 1];
}

static void order_by_way_of_another(void)
{
    int in[32], got;
    for (int i = 0; i < 32; i++)
        in[i] = 10 + i;
    int *d_in = device_copy(in, 32), *out = device_array<int>(1);
    by_way_of_kernel<<<1, 32>>>(d_in, out, 0);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == 10 + 21);
    digest(&got, sizeof got);
    OK(cudaFree(d_in));
}

/* What a leader releases covers what its warp did before __syncwarp(). */
__global__ void leader_of_warp_kernel(int *partial, unsigned *done, int *out)
{
    const unsigned lane = threadIdx.x;
    unsigned order = 0;
    partial[blockIdx.x * 32 + lane] = (int)(blockIdx.x + lane);
    __syncwarp();
    if (lane == 0) {
        __threadfence();
        order = atomicAdd(done, 1);
        __threadfence();
    }
    order = __shfl_sync(0xFFFFFFFFu, order, 0);
    if (order != gridDim.x - 1)
        return;
    __syncwarp();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        sum += partial[b * 32 + lane];
    out[lane] = sum;
}

/* Groups of eight lanes, with a ticket each. */
__global__ void leader_of_tile_kernel(int *partial, unsigned *done, int *out)
{
    const unsigned lane = threadIdx.x, tile = lane / 8, first = blockIdx.x * 32;
    const unsigned mask = 0xFFu << 8 * tile;
    unsigned order = 0;
    partial[first + lane] = (int)(blockIdx.x * lane);
    __syncwarp(mask);
    if (lane % 8 == 0) {
        __threadfence();
        order = atomicAdd(&done[tile], 1);
        __threadfence();
    }
    order = __shfl_sync(mask, order, 0, 8);
    if (order == gridDim.x - 1) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += partial[b * 32 + tile * 8 + 7 - lane % 8];
        out[lane] = sum;
    }
}

static void leaders_release_for_their_group(void)
{
    enum { BLOCKS = 6 };
    int *partial = device_array<int>(32 * BLOCKS), *out = device_array<int>(32), got[32];
    unsigned *done = device_zeros<unsigned>(5);
    leader_of_warp_kernel<<<BLOCKS, 32>>>(partial, done, out);
    FINISH();
    fetch(got, out, 32);
    for (int i = 0; i < 32; i++)
        EXPECT(got[i] == BLOCKS * (BLOCKS - 1) / 2 + BLOCKS * i);
    leader_of_tile_kernel<<<BLOCKS, 32>>>(partial, done + 1, out);
    FINISH();
    take(got, out, 32);
    for (int i = 0; i < 32; i++)
        EXPECT(got[i] == BLOCKS * (BLOCKS - 1) / 2 * (i / 8 * 8 + 7 - i % 8));
    digest(got, sizeof got);
    OK(cudaFree(partial));
    OK(cudaFree(done));
}

/* Block 0 → block 1 → block 2, each by a flag. */
__global__ void chain_kernel(int *data, volatile int *flags)
{
    const int b = (int)blockIdx.x;
    if (threadIdx.x != 0)
        return;
    if (b > 0) {
        while (flags[b - 1] == 0)
            ;
        __threadfence();
    }
    int sum = b + 1;
    for (int k = 0; k < b; k++)
        sum += data[k];
    data[b] = sum;
    __threadfence();
    flags[b] = 1;
}

static void chain_of_blocks(void)
{
    enum { BLOCKS = 10 };
    int *data = device_array<int>(BLOCKS), *flags = device_zeros<int>(BLOCKS), got[BLOCKS];
    chain_kernel<<<BLOCKS, 32>>>(data, flags);
    FINISH();
    take(got, data, BLOCKS);
    for (int b = 0, before = 0; b < BLOCKS; before += got[b++])
        EXPECT(got[b] == before + b + 1);
    digest(got, sizeof got);
    OK(cudaFree(flags));
}

/* ---- many write the same ------------------------------------------------------------------- */

__global__ void any_negative_kernel(const int *in, int *out)
{
    __shared__ bool found;
    if (threadIdx.x == 0)
        found = false;
    __syncthreads();
    if (in[blockIdx.x * blockDim.x + threadIdx.x] < 0)
        found = true;
    __syncthreads();
    if (threadIdx.x == 0 && found)
        *out = 1;
}

static void flags_that_agree(void)
{
    int in[256], *out = device_zeros<int>(1), got;
    for (int i = 0; i < 256; i++)
        in[i] = i % 9 - 1;
    int *d_in = device_copy(in, 256);
    any_negative_kernel<<<4, 64>>>(d_in, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == 1);
    digest(&got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- structures that the host reads ---------------------------------------------------------- */

struct result {
    char kind;
    double value;
    int count;
};

__global__ void results_kernel(struct result *out)
{
    out[threadIdx.x].kind = 'r';
    out[threadIdx.x].value = 0.25 * threadIdx.x;
    out[threadIdx.x].count = (int)threadIdx.x;
}

static void structures_for_the_host(void)
{
    struct result *out = device_array<struct result>(40), got[40];
    results_kernel<<<1, 40>>>(out);
    FINISH();
    take(got, out, 40);
    for (int i = 0; i < 40; i++)
        EXPECT(got[i].kind == 'r' && got[i].value == 0.25 * i && got[i].count == i);
}

/* ---- a hash table without locks -------------------------------------------------------------- */

enum { SLOTS = 512, EMPTY = 0 };

__global__ void insert_kernel(const unsigned *keys, unsigned *slots, int *values, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    for (unsigned at = scrambled(keys[i]) % SLOTS;; at = (at + 1) % SLOTS) {
        const unsigned before = atomicCAS(&slots[at], EMPTY, keys[i]);
        if (before == EMPTY || before == keys[i]) {
            atomicAdd(&values[at], i);
            return;
        }
    }
}

__global__ void look_up_kernel(
    const unsigned *keys, const unsigned *slots, const int *values, int *out, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    unsigned at = scrambled(keys[i]) % SLOTS;
    while (slots[at] != keys[i])
        at = (at + 1) % SLOTS;
    out[i] = values[at];
}

static void hash_table(void)
{
    enum { N = 400 };
    unsigned keys[N];
    int got[N];
    for (unsigned i = 0; i < N; i++)
        keys[i] = scrambled(i) % 300 + 1;
    unsigned *d_keys = device_copy(keys, N), *slots = device_zeros<unsigned>(SLOTS);
    int *values = device_zeros<int>(SLOTS), *out = device_array<int>(N);
    insert_kernel<<<4, 100>>>(d_keys, slots, values, N);
    look_up_kernel<<<4, 100>>>(d_keys, slots, values, out, N);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++) {
        int want = 0;
        for (int k = 0; k < N; k++)
            want += keys[k] == keys[i] ? k : 0;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_keys));
    OK(cudaFree(slots));
    OK(cudaFree(values));
}

/* ---- a stack without locks ------------------------------------------------------------------- */

struct node {
    int value, next;
};

__global__ void push_and_sum_kernel(struct node *nodes, int *head, unsigned *done, int *out)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    nodes[i].value = i;
    for (int seen = *(volatile int *)head, before;; seen = before) {
        nodes[i].next = seen;
        __threadfence();
        before = atomicCAS(head, seen, i);
        if (before == seen)
            break;
    }
    __threadfence();
    if (atomicAdd(done, 1) != gridDim.x * blockDim.x - 1)
        return;
    __threadfence();
    int sum = 0;
    for (int at = *(volatile int *)head; at >= 0; at = nodes[at].next)
        sum += nodes[at].value;
    *out = sum;
}

static void stack_without_locks(void)
{
    enum { N = 3 * 40 };
    const int none = -1;
    struct node *nodes = device_array<struct node>(N);
    int *head = device_copy(&none, 1), *out = device_array<int>(1), got;
    unsigned *done = device_zeros<unsigned>(1);
    push_and_sum_kernel<<<3, 40>>>(nodes, head, done, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == N * (N - 1) / 2);
    digest(&got, sizeof got);
    OK(cudaFree(nodes));
    OK(cudaFree(head));
    OK(cudaFree(done));
}

/* ---- loads and stores with hints, assembler, special registers -------------------------------- */

__global__ void hints_kernel(const int *in, int *out, unsigned *registers)
{
    const unsigned t = threadIdx.x;
    int x = __ldg(&in[t]) + __ldcg(&in[t]) + __ldca(&in[t]) + __ldcs(&in[t]) + __ldlu(&in[t]);
    x += __ldcv(&in[t]);
    if (t % 4 == 0)
        __stwb(&out[t], x);
    else if (t % 4 == 1)
        __stcg(&out[t], x);
    else if (t % 4 == 2)
        __stcs(&out[t], x);
    else
        __stwt(&out[t], x);
    unsigned lane, warp, below;
    asm("{\n\t"
        ".reg .u32 here;\n\t"
        "mov.u32 here, %%laneid;\n\t"
        "mov.u32 %0, here;\n\t"
        "mov.u32 %1, %%warpid;\n\t"
        "mov.u32 %2, %%lanemask_lt;\n\t"
        "}"
        : "=r"(lane), "=r"(warp), "=r"(below));
    registers[t] = lane + 100 * (warp < 64) + 1000 * (below == (1u << lane) - 1);
}

static void hints_and_assembler(void)
{
    int in[64], got[64];
    unsigned registers[64];
    for (int i = 0; i < 64; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, 64), *out = device_array<int>(64);
    unsigned *d_registers = device_array<unsigned>(64);
    hints_kernel<<<1, 64>>>(d_in, out, d_registers);
    FINISH();
    take(got, out, 64);
    take(registers, d_registers, 64);
    for (int i = 0; i < 64; i++)
        EXPECT(got[i] == 6 * in[i] && registers[i] == (unsigned)(i % 32 + 1100));
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* Every launch reads through the read-only path what the launch before wrote, and each thread
 * overwrites only the word that it has read itself. */
__global__ void doubled_in_place_kernel(int *cells, int n)
{
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        cells[i] = 2 * __ldg(&cells[i]);
}

static void read_only_until_it_is_written(void)
{
    enum { N = 1000 };
    int cells[N], got[N];
    for (int i = 0; i < N; i++)
        cells[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d = device_copy(cells, N);
    for (int launch = 0; launch < 3; launch++)
        doubled_in_place_kernel<<<1, 128>>>(d, N);
    FINISH();
    take(got, d, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == 8 * cells[i]);
    digest(got, sizeof got);
}

/* ---- waiting by the clock -------------------------------------------------------------------- */

__global__ void patient_kernel(volatile int *flag, int *out)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 1) {
        const long long start = clock64();
        while (clock64() - start < 20000)
            ;
        *flag = 1;
        return;
    }
    while (*flag == 0)
        __nanosleep(50);
    *out = 1;
}

static void waiting_by_the_clock(void)
{
    int *flag = device_zeros<int>(1), *out = device_zeros<int>(1), got;
    patient_kernel<<<2, 32>>>(flag, out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == 1);
    OK(cudaFree(flag));
}

/* ---- very many blocks, and the largest block ------------------------------------------------- */

__global__ void many_kernel(unsigned *count, int *out)
{
    __shared__ int tile[1024];
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    tile[t] = (int)t;
    __syncthreads();
    if (tile[1023 - t] + tile[t] != 1023)
        atomicAdd(out, 1);
    if (t == 0)
        atomicAdd(count, 1u);
}

static void many_large_blocks(void)
{
    unsigned *count = device_zeros<unsigned>(1), blocks;
    int *out = device_zeros<int>(1), wrong;
    many_kernel<<<dim3(7, 5, 3), dim3(16, 8, 8)>>>(count, out);
    FINISH();
    take(&blocks, count, 1);
    take(&wrong, out, 1);
    EXPECT(blocks == 105 && wrong == 0);
    digest(&blocks, sizeof blocks);
}

/* ---- two kernels, one after the other, over the same memory ----------------------------------- */

__global__ void add_neighbour_kernel(const int *in, int *out, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = in[i] + in[(i + 1) % n];
}

static void ping_pong_of_launches(void)
{
    enum { N = 200, STEPS = 6 };
    int now[N], next[N], got[N];
    for (int i = 0; i < N; i++)
        now[i] = i % 7;
    int *a = device_copy(now, N), *b = device_array<int>(N);
    for (int step = 0; step < STEPS; step++) {
        add_neighbour_kernel<<<4, 64>>>(a, b, N);
        int *other = a;
        a = b;
        b = other;
        for (int i = 0; i < N; i++)
            next[i] = now[i] + now[(i + 1) % N];
        memcpy(now, next, sizeof now);
    }
    FINISH();
    take(got, a, N);
    EXPECT_SAME(got, now, N);
    digest(got, sizeof got);
    OK(cudaFree(b));
}

CORPUS_MAIN(CASE(order_by_way_of_another), CASE(leaders_release_for_their_group),
    CASE(chain_of_blocks), CASE(flags_that_agree), CASE(structures_for_the_host), CASE(hash_table),
    CASE(stack_without_locks), CASE(hints_and_assembler), CASE(read_only_until_it_is_written),
    CASE(waiting_by_the_clock), CASE(many_large_blocks), CASE(ping_pong_of_launches))
