/* What vgpu.h promises a grader: clock, counters, findings, leaks, who wrote, order. */
#include "check.h"

#include "../vgpu.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <thread>

enum { N = 1024 };

static uint64_t (*now_ns)(void);
static int (*times_kernels)(void);
static int (*time_unknown)(char *, size_t);
static void (*set_order)(uint64_t);
static size_t (*get_findings)(struct vgpu_finding *, size_t);
static size_t (*find_leaks)(void);
static void (*get_counters)(struct vgpu_counters *);
static void (*clear)(void);
static int (*written_by)(const void *, size_t);
static void (*count_lines)(int);
static size_t (*get_lines)(struct vgpu_line *, size_t);

template <typename Function> static void find(Function *function, const char *name)
{
    *(void **)function = dlsym(RTLD_DEFAULT, name);
    CHECK(*function != NULL);
}

static void find_all(void)
{
    find(&now_ns, "vgpu_now_ns");
    find(&times_kernels, "vgpu_times_kernels");
    find(&time_unknown, "vgpu_time_unknown");
    find(&set_order, "vgpu_set_order");
    find(&get_findings, "vgpu_findings");
    find(&find_leaks, "vgpu_find_leaks");
    find(&get_counters, "vgpu_counters");
    find(&clear, "vgpu_clear");
    find(&written_by, "vgpu_written_by");
    find(&count_lines, "vgpu_count_lines");
    find(&get_lines, "vgpu_lines");
}

enum { SCALE_LINE = __LINE__ + 5 };
__global__ void scale_kernel(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[i];
}

enum { OVERRUN_LINE = __LINE__ + 4 };
__global__ void overrun_kernel(float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (float)n; /* no guard */
}

__global__ void order_kernel(int *order, int *next)
{
    order[atomicAdd(next, 1)] = (int)blockIdx.x;
}

static void the_clock(void)
{
    float *d;
    const uint64_t start = now_ns();
    volatile double work = 0.0;
    for (int i = 0; i < 1000000; i++)
        work = work + 1.0;
    CHECK(now_ns() == start); /* the host's own work is free */
    OK(cudaMalloc((void **)&d, N * sizeof(float)));
    const uint64_t allocated = now_ns();
    CHECK(allocated > start);
    OK(cudaMemset(d, 0, N * sizeof(float)));
    const uint64_t queued = now_ns();
    OK(cudaDeviceSynchronize());
    CHECK(now_ns() > queued);
    OK(cudaFree(d));
    CHECK(times_kernels() == 1);
}

static __global__ void copy_kernel(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

static uint64_t copy_ns(const float *in, float *out, int n, int blocks)
{
    OK(cudaDeviceSynchronize());
    const uint64_t start = now_ns();
    copy_kernel<<<blocks, 256>>>(in, out, n);
    OK(cudaDeviceSynchronize());
    return now_ns() - start;
}

/* The model in outline; times_test.sh compares it with an H200. */
static void times(void)
{
    enum { MANY = 1 << 20 };
    float *in, *out, *pinned;
    char why[100];
    OK(cudaMalloc((void **)&in, MANY * sizeof(float)));
    OK(cudaMalloc((void **)&out, MANY * sizeof(float)));
    OK(cudaMallocHost((void **)&pinned, N * sizeof(float)));
    OK(cudaMemset(in, 0, MANY * sizeof(float)));
    memset(pinned, 0, N * sizeof(float));
    clear();
    const uint64_t cold = copy_ns(in, out, MANY, MANY / 256);
    const uint64_t again = copy_ns(in, out, MANY, MANY / 256);
    const uint64_t half = copy_ns(in, out, MANY / 2, MANY / 512);
    const uint64_t one_block = copy_ns(in, out, MANY, 1);
    CHECK(cold > 20000 && cold < 200000 && half < again);
    CHECK(one_block > 10 * cold);
    CHECK(time_unknown(why, sizeof why) == 0 && why[0] == '\0');
    copy_ns(pinned, out, N, 1);
    CHECK(time_unknown(why, sizeof why) == 1 && strstr(why, "host") != NULL);
    CHECK(time_unknown(NULL, 0) == 1);
    clear();
    CHECK(time_unknown(why, sizeof why) == 0);
    OK(cudaFree(in));
    OK(cudaFree(out));
    OK(cudaFreeHost(pinned));
    clear();
}

/* A barrier in shared memory, at which a warp asks whether the others have come. */
__global__ void mbarrier_kernel(int rounds)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    for (int round = 0; round < rounds; round++)
        barrier.arrive_and_wait();
}

/* From the last to the first adds to a place; each block waits for its turn, in its own way. */
template <bool BY_ATOMIC> static __global__ void in_turn_kernel(unsigned *turn)
{
    if (threadIdx.x == 0) {
        while ((BY_ATOMIC ? atomicAdd(turn, 0) : *(volatile unsigned *)turn) !=
               gridDim.x - 1 - blockIdx.x)
            ;
        __threadfence();
        atomicAdd(turn, 1);
    }
    cooperative_groups::this_grid().sync();
}

static __global__ void all_at_once_kernel(unsigned *turn)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int round = 0; round < 20; round++) {
        if (threadIdx.x == 0)
            atomicAdd(turn, 1);
        grid.sync();
    }
}

/* Blocks take pieces of the work, until there are none. Here the first block takes all of them. */
static __global__ void queue_kernel(unsigned *next)
{
    __shared__ unsigned piece;
    do {
        __syncthreads();
        if (threadIdx.x == 0)
            piece = atomicAdd(next, 1);
        __syncthreads();
    } while (piece < 1000);
}

/* The same for places in the output: who gets which does not matter. */
static __global__ void places_kernel(unsigned *next)
{
    for (int k = 0; k < 100; k++)
        if (atomicAdd(next, 1) == 0xffffffff)
            __trap();
}

static int is_unknown_after(const void *kernel, unsigned *turn, bool side_by_side)
{
    void *arguments[] = {&turn};
    char why[100];
    clear();
    OK(cudaMemset(turn, 0, sizeof *turn));
    if (side_by_side)
        OK(cudaLaunchCooperativeKernel(kernel, dim3(8), dim3(64), arguments, 0, 0));
    else
        OK(cudaLaunchKernel(kernel, dim3(8), dim3(64), arguments, 0, 0));
    OK(cudaDeviceSynchronize());
    return time_unknown(why, sizeof why) && strstr(why, "blocks") != NULL;
}

/* How often a warp asks before what it waits for is there depends on the interpreter; so does how much
 * of the work a block gets that takes it piece by piece. */
static void waiting(void)
{
    enum { ROUNDS = 100, THREADS = 256 };
    struct vgpu_counters counted;
    unsigned *turn;
    clear();
    mbarrier_kernel<<<1, THREADS>>>(ROUNDS);
    OK(cudaDeviceSynchronize());
    get_counters(&counted);
    CHECK(counted.thread_instructions < 100 * ROUNDS * THREADS);
    OK(cudaMalloc((void **)&turn, sizeof *turn));
    CHECK(is_unknown_after((const void *)in_turn_kernel<false>, turn, true));
    CHECK(is_unknown_after((const void *)in_turn_kernel<true>, turn, true));
    CHECK(!is_unknown_after((const void *)all_at_once_kernel, turn, true));
    CHECK(is_unknown_after((const void *)queue_kernel, turn, false));
    CHECK(!is_unknown_after((const void *)places_kernel, turn, false));
    OK(cudaFree(turn));
}

static void wait_for_a_kernel(void)
{
    mbarrier_kernel<<<1, 256>>>(1000);
    OK(cudaDeviceSynchronize());
}

/* What threads of the host do side by side has no time: there is one clock for them all. */
static void threads_that_wait(void)
{
    char why[100];
    clear();
    wait_for_a_kernel();
    std::thread([] { mbarrier_kernel<<<1, 32>>>(1); }).join();
    OK(cudaDeviceSynchronize());
    CHECK(time_unknown(why, sizeof why) == 0);
    std::thread(wait_for_a_kernel).join();
    CHECK(time_unknown(why, sizeof why) == 1 && strstr(why, "threads of the host") != NULL);
    clear();
}

static void who_wrote(void)
{
    float *in, *out, *h = (float *)malloc(N * sizeof(float)), *pinned;
    const size_t bytes = N * sizeof(float);
    for (int i = 0; i < N; i++)
        h[i] = (float)i;
    OK(cudaMalloc((void **)&in, bytes));
    OK(cudaMalloc((void **)&out, bytes));
    OK(cudaMallocHost((void **)&pinned, bytes));
    CHECK(written_by(in, bytes) == 0);
    OK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
    CHECK(written_by(in, bytes) == 2);
    CHECK(written_by(out, bytes) == 0);
    scale_kernel<<<N / 256, 256>>>(in, out, N);
    OK(cudaDeviceSynchronize());
    CHECK(written_by(out, bytes) == 1);
    OK(cudaMemcpy(out, h, bytes / 2, cudaMemcpyHostToDevice));
    CHECK(written_by(out, bytes) == 3);
    CHECK(written_by(out, bytes / 2) == 2);
    CHECK(written_by((char *)out + bytes / 2, bytes / 2) == 1);
    OK(cudaMemcpy(out, in, bytes, cudaMemcpyDeviceToDevice));
    OK(cudaDeviceSynchronize());
    CHECK(written_by(out, bytes) == 2); /* a copy of what the host wrote */
    OK(cudaMemset(out, 0, bytes));
    OK(cudaDeviceSynchronize());
    CHECK(written_by(out, bytes) == 1);
    CHECK(written_by(h, bytes) == 0); /* pageable memory is not watched */
    CHECK(written_by(out, bytes + 1) == 0);
    OK(cudaFree(in));
    OK(cudaFree(out));
    OK(cudaFreeHost(pinned));
    free(h);
}

static void the_counters(void)
{
    float *in, *out;
    struct vgpu_counters counted;
    OK(cudaMalloc((void **)&in, N * sizeof(float)));
    OK(cudaMalloc((void **)&out, N * sizeof(float)));
    OK(cudaMemset(in, 0, N * sizeof(float)));
    clear();
    get_counters(&counted);
    CHECK(counted.launches == 0 && counted.global_load_requests == 0);
    scale_kernel<<<N / 256, 256>>>(in, out, N);
    OK(cudaDeviceSynchronize());
    get_counters(&counted);
    CHECK(counted.launches == 1);
    CHECK(counted.global_load_requests == N / 32);
    CHECK(counted.global_load_sectors == N / 8);
    CHECK(counted.global_store_requests == N / 32);
    CHECK(counted.global_store_sectors == N / 8);
    CHECK(counted.global_load_bytes == N * sizeof(float));
    CHECK(counted.thread_instructions >= 32 * (N / 32));
    CHECK(get_findings(NULL, 0) == 0);
    struct vgpu_line lines[8];
    CHECK(get_lines(lines, 8) == 0); /* nobody asked for them */
    count_lines(1);
    scale_kernel<<<N / 256, 256>>>(in, out, N);
    scale_kernel<<<N / 256, 256>>>(in, out, N);
    OK(cudaDeviceSynchronize());
    const size_t count = get_lines(lines, 8);
    CHECK(count >= 2 && count <= 8);
    CHECK(strcmp(lines[0].kernel, "scale_kernel") == 0 && lines[0].line == 0);
    CHECK(lines[0].counters.launches == 2);
    CHECK(lines[0].counters.global_load_requests == 2 * N / 32);
    for (size_t i = 1; i < count; i++)
        if (lines[i].counters.global_load_requests > 0) {
            CHECK(lines[i].line == SCALE_LINE && strstr(lines[i].file, "interface.cu") != NULL);
            CHECK(lines[i].counters.global_load_sectors == 2 * N / 8);
        }
    count_lines(0);
    clear();
    CHECK(get_lines(lines, 8) == 0);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

static void the_findings(void)
{
    float *d;
    struct vgpu_finding finding;
    OK(cudaMalloc((void **)&d, 100 * sizeof(float)));
    clear();
    overrun_kernel<<<1, 128>>>(d, 100);
    cudaDeviceSynchronize();
    cudaGetLastError();
    CHECK(get_findings(&finding, 1) == 1);
    CHECK(strcmp(finding.word, "out-of-bounds") == 0);
    CHECK(finding.severity == VGPU_ERROR);
    CHECK(strcmp(finding.kernel, "overrun_kernel") == 0);
    CHECK(finding.line == OVERRUN_LINE && strstr(finding.file, "interface.cu") != NULL);
    CHECK(finding.count >= 1);
    CHECK(finding.thread[0] == 100 || finding.thread[0] == 96);
    clear();
    CHECK(get_findings(NULL, 0) == 0);
    overrun_kernel<<<1, 2048>>>(d, 100);
    CHECK_CALL(cudaGetLastError(),
        CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration);
    CHECK(get_findings(&finding, 1) == 1);
    CHECK(strcmp(finding.word, "launch") == 0 && finding.severity == VGPU_WARNING);
    CHECK(strstr(finding.message, "2048") != NULL && strstr(finding.message, "1024") != NULL);
    OK(cudaFree(d));
    clear();
    CHECK_CALL(cudaFree(d), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(get_findings(&finding, 1) == 1);
    CHECK(strcmp(finding.word, "free") == 0 && finding.severity == VGPU_ERROR);
    clear();
}

static void the_leaks(void)
{
    float *a, *b, *pinned;
    struct vgpu_finding finding;
    clear();
    CHECK(find_leaks() == 0);
    OK(cudaMalloc((void **)&a, 40));
    OK(cudaMalloc((void **)&b, 48));
    OK(cudaMallocHost((void **)&pinned, 56));
    OK(cudaFree(a));
    CHECK(find_leaks() == 2);
    CHECK(get_findings(&finding, 1) == 2);
    CHECK(strcmp(finding.word, "leak") == 0);
    OK(cudaFree(b));
    OK(cudaFreeHost(pinned));
    clear();
    CHECK(find_leaks() == 0);
}

static void the_order(void)
{
    enum { BLOCKS = 64 };
    int *order, *next, forward[BLOCKS], reverse[BLOCKS], shuffled[BLOCKS];
    int *const seen[] = {forward, reverse, shuffled};
    OK(cudaMalloc((void **)&order, BLOCKS * sizeof(int)));
    OK(cudaMalloc((void **)&next, sizeof(int)));
    for (uint64_t seed = 0; seed < 3; seed++) {
        set_order(seed);
        OK(cudaMemset(next, 0, sizeof(int)));
        order_kernel<<<BLOCKS, 1>>>(order, next);
        OK(cudaMemcpy(seen[seed], order, sizeof forward, cudaMemcpyDeviceToHost));
    }
    set_order(0);
    CHECK(forward[0] == 0 && forward[BLOCKS - 1] == BLOCKS - 1);
    CHECK(reverse[0] == BLOCKS - 1 && reverse[BLOCKS - 1] == 0);
    CHECK(memcmp(shuffled, forward, sizeof forward) != 0);
    CHECK(memcmp(shuffled, reverse, sizeof forward) != 0);
    OK(cudaFree(order));
    OK(cudaFree(next));
}

int main(void)
{
    find_all();
    if (checks_failed != 0)
        return check_result("interface");
    the_clock();
    times();
    waiting();
    threads_that_wait();
    who_wrote();
    the_counters();
    the_findings();
    the_leaks();
    the_order();
    return check_result("interface");
}
