/* What the CUDA runtime answers to calls that a student, or the grader, may make.
 *
 * Prints one line a fact: its name, a tab, the answer.  Run on a GPU the output is the record
 * in runtime_facts_h200.tsv; run under the virtual GPU it must be the same, line for line.
 * Each section runs in a process of its own, because some of them end with a broken device.
 *
 *   runtime_facts             all sections but the device's own sizes
 *   runtime_facts properties  only those sizes, every property and attribute
 */
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static const char *section_name;

static void fact(const char *name, const char *answer)
{
    printf("%s.%s\t%s\n", section_name, name, answer);
}

static void fact_number(const char *name, long long number)
{
    printf("%s.%s\t%lld\n", section_name, name, number);
}

/* The error that a call returned, and the one that it left behind. */
static void fact_error(const char *name, cudaError_t returned)
{
    printf("%s.%s\t%s\n", section_name, name, cudaGetErrorName(returned));
}

static void fact_call(const char *name, cudaError_t returned)
{
    const cudaError_t left = cudaGetLastError();
    printf(
        "%s.%s\t%s %s\n", section_name, name, cudaGetErrorName(returned), cudaGetErrorName(left));
}

#define FACT(expression) fact_call(#expression, (expression))
#define MUST(expression)                                        \
    do {                                                        \
        const cudaError_t must_status = (expression);           \
        if (must_status != cudaSuccess) {                       \
            fact_error("unexpected " #expression, must_status); \
            exit(3);                                            \
        }                                                       \
    } while (0)

__constant__ int table[64];
__device__ int counter;
__device__ float grid_of_floats[12];
__managed__ int shared_by_both;

__global__ void increment_kernel(int *cell)
{
    const unsigned block = blockIdx.x + blockIdx.y + blockIdx.z;
    if (threadIdx.x + threadIdx.y + threadIdx.z + block == 0)
        *cell += 1;
}

__global__ void empty_kernel(void)
{
}

__global__ void __launch_bounds__(128) bounded_kernel(int *cell)
{
    *cell = 1;
}

__global__ void static_shared_kernel(int *out)
{
    __shared__ int tile[3000];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void dynamic_shared_kernel(int *out)
{
    extern __shared__ int dynamic_tile[];
    dynamic_tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic_tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void spin_kernel(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

__global__ void write_at_kernel(char *address)
{
    *address = 1;
}

__global__ void write_int_at_kernel(char *address)
{
    *(volatile int *)address = 1;
}

__global__ void trap_kernel(void)
{
    asm volatile("trap;");
}

__global__ void assert_kernel(int value)
{
    if (value == 0)
        __trap();
}

/* ---------------------------------------------------------------------------------------- */

static void launch_limits(void)
{
    int *cell;
    MUST(cudaMalloc(&cell, 4096 * sizeof(int)));
    MUST(cudaMemset(cell, 0, 4096 * sizeof(int)));
#define LAUNCH(name, grid, block, shared)                              \
    do {                                                               \
        increment_kernel<<<grid, block, shared>>>(cell);               \
        const cudaError_t peeked = cudaPeekAtLastError();              \
        fact_call(name, peeked);                                       \
        fact_error(name " then synchronise", cudaDeviceSynchronize()); \
    } while (0)
    LAUNCH("grid 0", 0, 32, 0);
    LAUNCH("block 0", 1, 0, 0);
    LAUNCH("block 1024", 1, 1024, 0);
    LAUNCH("block 1025", 1, 1025, 0);
    LAUNCH("block 2048", 1, 2048, 0);
    LAUNCH("block 32x32x2", 1, dim3(32, 32, 2), 0);
    LAUNCH("block z 64", 1, dim3(1, 1, 64), 0);
    LAUNCH("block z 65", 1, dim3(1, 1, 65), 0);
    LAUNCH("block y 1024", 1, dim3(1, 1024, 1), 0);
    LAUNCH("grid y 65535", dim3(1, 65535, 1), 1, 0);
    LAUNCH("grid y 65536", dim3(1, 65536, 1), 1, 0);
    LAUNCH("grid z 65536", dim3(1, 1, 65536), 1, 0);
    LAUNCH("grid x 65536", 65536, 1, 0);
    LAUNCH("grid x 2^31", 1u << 31, 1, 0);
    LAUNCH("shared 49152", 1, 32, 49152);
    LAUNCH("shared 49153", 1, 32, 49153);
    LAUNCH("shared 50000", 1, 32, 50000);
    LAUNCH("shared 300000", 1, 32, 300000);
    static_shared_kernel<<<1, 32, 40000>>>(cell);
    fact_call("static 12000 and dynamic 40000", cudaPeekAtLastError());
    bounded_kernel<<<1, 128>>>(cell);
    fact_call("launch bounds 128, block 128", cudaPeekAtLastError());
    bounded_kernel<<<1, 129>>>(cell);
    fact_call("launch bounds 128, block 129", cudaPeekAtLastError());

    void *arguments[] = {&cell};
    FACT(cudaLaunchKernel((const void *)increment_kernel, dim3(1), dim3(32), arguments, 0, 0));
    FACT(cudaLaunchKernel((const void *)increment_kernel, dim3(1), dim3(2048), arguments, 0, 0));
    FACT(cudaLaunchKernel((const void *)&launch_limits, dim3(1), dim3(32), arguments, 0, 0));
    FACT(cudaLaunchKernel(NULL, dim3(1), dim3(32), arguments, 0, 0));

    FACT(cudaFuncSetAttribute(
        (const void *)dynamic_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000));
    dynamic_shared_kernel<<<1, 32, 50000>>>(cell);
    fact_call("50000 dynamic after opting in", cudaPeekAtLastError());
    fact_error("and it runs", cudaDeviceSynchronize());
    dynamic_shared_kernel<<<1, 32, 50001>>>(cell);
    fact_call("50001 after opting in to 50000", cudaPeekAtLastError());
    FACT(cudaFuncSetAttribute(
        (const void *)dynamic_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    FACT(cudaFuncSetAttribute(
        (const void *)dynamic_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    FACT(cudaFuncSetAttribute(
        (const void *)static_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    FACT(cudaFuncSetAttribute(
        (const void *)static_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 220448));
    FACT(cudaFuncSetAttribute(
        (const void *)static_shared_kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    FACT(cudaFuncSetAttribute(
        (const void *)static_shared_kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    FACT(cudaFuncSetCacheConfig((const void *)static_shared_kernel, cudaFuncCachePreferL1));
}

static void last_error(void)
{
    void *p = NULL;
    fact_error("first cudaGetLastError", cudaGetLastError());
    fact_error("malloc 2^62", cudaMalloc(&p, (size_t)1 << 62));
    fact("pointer after a failed malloc", p == NULL ? "NULL" : "set");
    MUST(cudaMalloc(&p, 64));
    fact_error("peek after a good call", cudaPeekAtLastError());
    fact_error("get", cudaGetLastError());
    fact_error("get again", cudaGetLastError());

    cudaStream_t stream;
    cudaEvent_t event;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    spin_kernel<<<1, 1, 0, stream>>>(12000000);
    MUST(cudaEventRecord(event, stream));
    fact_error("stream query while busy", cudaStreamQuery(stream));
    fact_error("left by a stream query", cudaGetLastError());
    fact_error("event query while busy", cudaEventQuery(event));
    fact_error("left by an event query", cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    fact_error("stream query when idle", cudaStreamQuery(stream));
    fact_error("event query when idle", cudaEventQuery(event));

    empty_kernel<<<1, 2048>>>();
    fact_error("synchronise after a bad launch", cudaDeviceSynchronize());
    fact_error("the error is still there", cudaPeekAtLastError());
    empty_kernel<<<1, 1>>>();
    fact_error("a good launch does not clear it", cudaGetLastError());
    fact_error("cleared", cudaGetLastError());
    cudaSetDevice(99);
    empty_kernel<<<1, 1>>>();
    fact_error("the latest error wins", cudaGetLastError());
}

static void memory(void)
{
    char *d = NULL, *e = NULL;
    char *h = (char *)malloc(4096);
    memset(h, 7, 4096);
    FACT(cudaMalloc((void **)&d, 0));
    fact("pointer of malloc 0", d == NULL ? "NULL" : "set");
    FACT(cudaMalloc((void **)NULL, 16));
    FACT(cudaFree(NULL));
    FACT(cudaMalloc((void **)&d, 1000));
    fact_number("alignment 512", (long long)((uintptr_t)d % 512));
    MUST(cudaMalloc((void **)&e, 1000));
    fact_number("distance of two blocks of 1000 bytes modulo 512", (long long)((e - d) % 512));
    FACT(cudaFree(d + 8));
    FACT(cudaFree(h));
    FACT(cudaMemcpy(d, h, 1000, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(h, d, 1000, cudaMemcpyDeviceToHost));
    FACT(cudaMemcpy(h, d, 1000, cudaMemcpyDefault));
    FACT(cudaMemcpy(d, e, 1000, cudaMemcpyDeviceToDevice));
    FACT(cudaMemcpy(h, h + 2000, 1000, cudaMemcpyHostToHost));
    FACT(cudaMemcpy(d, h, 1000, cudaMemcpyDeviceToHost));
    FACT(cudaMemcpy(h, d, 1000, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, h, 1000, cudaMemcpyDeviceToDevice));
    FACT(cudaMemcpy(d, h, 1000, cudaMemcpyHostToHost));
    FACT(cudaMemcpy(d, e, 1000, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, h, 1000, (cudaMemcpyKind)9));
    FACT(cudaMemcpy(NULL, h, 1000, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, NULL, 1000, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, h, 0, cudaMemcpyDeviceToHost));
    FACT(cudaMemset(d, 0, 1000));
    FACT(cudaMemset(h, 0, 1000));
    FACT(cudaMemset(NULL, 0, 1000));
    FACT(cudaMemset(NULL, 0, 0));
    FACT(cudaFree(d));
    FACT(cudaFree(d));
    FACT(cudaMemset(d, 0, 1000));
    FACT(cudaFree(e));
    MUST(cudaMalloc((void **)&d, (size_t)64 << 20));
    char *big = (char *)calloc(1, (size_t)65 << 20);
    FACT(cudaMemcpy(d, big, (size_t)64 << 20, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, big, ((size_t)64 << 20) + 1, cudaMemcpyHostToDevice));
    FACT(cudaMemset(d, 0, ((size_t)64 << 20) + 1));
    FACT(cudaFree(d));
    FACT(cudaMemcpy(d, big, 16, cudaMemcpyHostToDevice));

    size_t pitch = 0;
    FACT(cudaMallocPitch((void **)&d, &pitch, 1000, 10));
    fact_number("pitch of 1000", (long long)pitch);
    FACT(cudaMemcpy2D(d, pitch, h, 100, 100, 10, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy2D(d, 50, h, 100, 100, 10, cudaMemcpyHostToDevice));
    FACT(cudaMemset2D(d, pitch, 0, 100, 10));
    FACT(cudaFree(d));
    FACT(cudaMallocPitch((void **)&d, &pitch, 1, 1));
    fact_number("pitch of 1", (long long)pitch);
    FACT(cudaFree(d));

    size_t free_before = 0, free_after = 0, total = 0;
    MUST(cudaMemGetInfo(&free_before, &total));
    MUST(cudaMalloc((void **)&d, (size_t)100 << 20));
    MUST(cudaMemGetInfo(&free_after, &total));
    fact_number("free memory lost to 100 MiB", (long long)((free_before - free_after) >> 20));
    FACT(cudaMalloc((void **)&e, total));
    FACT(cudaFree(d));
    MUST(cudaMemGetInfo(&free_after, &total));
    fact_number("and given back", (long long)(free_before - free_after));
}

static void describe(const char *name, const void *pointer)
{
    static const char *const kinds[] = {"unregistered", "host", "device", "managed"};
    struct cudaPointerAttributes attributes;
    memset(&attributes, 0x5a, sizeof attributes);
    const cudaError_t status = cudaPointerGetAttributes(&attributes, pointer);
    const char *device = attributes.devicePointer == NULL      ? "NULL"
                         : attributes.devicePointer == pointer ? "same"
                                                               : "other";
    const char *host = attributes.hostPointer == NULL      ? "NULL"
                       : attributes.hostPointer == pointer ? "same"
                                                           : "other";
    printf("%s.%s\t%s %s device %d devicePointer %s hostPointer %s\n", section_name, name,
        cudaGetErrorName(status), status == cudaSuccess ? kinds[attributes.type] : "-",
        status == cudaSuccess ? attributes.device : 0, device, host);
    cudaGetLastError();
}

static void pointers(void)
{
    int on_stack = 0;
    char *d, *pinned, *managed, *mapped, *plain = (char *)malloc(8192 * 2);
    describe("before anything, a host variable", &on_stack);
    MUST(cudaMalloc((void **)&d, 1000));
    MUST(cudaMallocHost((void **)&pinned, 1000));
    MUST(cudaMallocManaged((void **)&managed, 1000));
    MUST(cudaHostAlloc((void **)&mapped, 1000, cudaHostAllocMapped));
    describe("host variable", &on_stack);
    describe("heap", plain);
    describe("NULL", NULL);
    describe("device", d);
    describe("inside device", d + 999);
    describe("pinned", pinned);
    describe("inside pinned", pinned + 999);
    describe("managed", managed);
    describe("mapped", mapped);
    describe("managed variable", &shared_by_both);
    void *symbol = NULL;
    FACT(cudaGetSymbolAddress(&symbol, counter));
    describe("device variable", symbol);
    FACT(cudaGetSymbolAddress(&symbol, table));
    describe("constant variable", symbol);
    FACT(cudaGetSymbolAddress(&symbol, on_stack));

    void *device_view = NULL;
    FACT(cudaHostGetDevicePointer(&device_view, pinned, 0));
    fact("pinned seen from the device", device_view == pinned ? "same" : "other");
    FACT(cudaHostGetDevicePointer(&device_view, plain, 0));
    char *page = (char *)(((uintptr_t)plain + 4095) & ~(uintptr_t)4095);
    FACT(cudaHostRegister(page, 4096, cudaHostRegisterDefault));
    describe("registered", page);
    FACT(cudaHostRegister(page, 4096, cudaHostRegisterDefault));
    FACT(cudaHostUnregister(page));
    FACT(cudaHostUnregister(page));
    describe("unregistered again", page);
    FACT(cudaHostRegister(page + 1, 100, cudaHostRegisterDefault));
    FACT(cudaHostUnregister(page + 1));
    unsigned int flags = 0;
    FACT(cudaHostGetFlags(&flags, pinned));
    fact_number("flags of pinned", flags);
    FACT(cudaHostGetFlags(&flags, plain));
    FACT(cudaFreeHost(plain));
    FACT(cudaFreeHost(NULL));
    FACT(cudaFreeHost(d));
    FACT(cudaFree(pinned));
    FACT(cudaFreeHost(pinned));
    FACT(cudaFreeHost(pinned));
    FACT(cudaFreeHost(managed));
    FACT(cudaFree(managed));
    FACT(cudaFree(d));
    describe("freed", d);
    FACT(cudaMallocManaged((void **)&managed, 0));
    FACT(cudaMallocHost((void **)&pinned, 0));
    FACT(cudaMallocManaged((void **)&managed, 16, 77));
}

static void symbols(void)
{
    int values[64], back[64];
    size_t size = 0;
    for (int i = 0; i < 64; i++)
        values[i] = i * i;
    FACT(cudaMemcpyToSymbol(table, values, sizeof values));
    FACT(cudaMemcpyFromSymbol(back, table, sizeof back));
    fact_number("constants came back", memcmp(values, back, sizeof back));
    FACT(cudaMemcpyToSymbol(table, values, sizeof values, 4));
    FACT(cudaMemcpyToSymbol(table, values, 4, sizeof values));
    FACT(cudaMemcpyToSymbol(table, values, 4, 4, cudaMemcpyDeviceToHost));
    FACT(cudaMemcpyToSymbol(size, values, 4));
    FACT(cudaGetSymbolSize(&size, table));
    fact_number("size of table", (long long)size);
    FACT(cudaGetSymbolSize(&size, grid_of_floats));
    fact_number("size of grid_of_floats", (long long)size);
    shared_by_both = 5;
    increment_kernel<<<1, 32>>>(&shared_by_both);
    FACT(cudaDeviceSynchronize());
    fact_number("managed variable", shared_by_both);
    FACT(cudaMemcpyFromSymbol(back, counter, 4));
    fact_number("device variable starts at", back[0]);
}

static void device_calls(void)
{
    int number = -1;
    struct cudaDeviceProp properties;
    FACT(cudaGetDevice(&number));
    fact_number("current device", number);
    FACT(cudaSetDevice(-1));
    FACT(cudaSetDevice(1000));
    FACT(cudaSetDevice(0));
    FACT(cudaGetDeviceProperties(&properties, 1000));
    FACT(cudaGetDeviceProperties(NULL, 0));
    FACT(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    FACT(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)9999, 0));
    FACT(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 1000));
    int least = -99, greatest = -99;
    FACT(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    fact_number("least priority", least);
    fact_number("greatest priority", greatest);
    static const struct {
        const char *name;
        cudaLimit limit;
    } limits[] = {{"stack", cudaLimitStackSize}, {"printf", cudaLimitPrintfFifoSize},
        {"heap", cudaLimitMallocHeapSize}, {"sync depth", cudaLimitDevRuntimeSyncDepth},
        {"pending launches", cudaLimitDevRuntimePendingLaunchCount},
        {"l2 fetch", cudaLimitMaxL2FetchGranularity},
        {"persisting l2", cudaLimitPersistingL2CacheSize}};
    for (const auto &row : limits) {
        size_t value = 0;
        fact_call(row.name, cudaDeviceGetLimit(&value, row.limit));
        fact_number(row.name, (long long)value);
    }
    size_t value = 0;
    FACT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    FACT(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    fact_number("heap after", (long long)value);
    FACT(cudaDeviceSetLimit(cudaLimitStackSize, 2000));
    FACT(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    fact_number("stack after", (long long)value);
    FACT(cudaDeviceSetLimit((cudaLimit)99, 1));
    FACT(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    int can = -1;
    FACT(cudaDeviceCanAccessPeer(&can, 0, 0));
    fact_number("peer of itself", can);
    FACT(cudaDeviceEnablePeerAccess(0, 0));
    FACT(cudaDeviceEnablePeerAccess(1000, 0));
    FACT(cudaDeviceDisablePeerAccess(0));
    FACT(cudaCtxResetPersistingL2Cache());
    unsigned int flags = 99;
    FACT(cudaGetDeviceFlags(&flags));
    fact_number("device flags", flags);
    char *d;
    MUST(cudaMalloc((void **)&d, 16));
    FACT(cudaDeviceReset());
    FACT(cudaFree(d));
    FACT(cudaMemset(d, 0, 16));
    FACT(cudaMalloc((void **)&d, 16));
}

static void functions(void)
{
    struct cudaFuncAttributes a;
    FACT(cudaFuncGetAttributes(&a, (const void *)static_shared_kernel));
    fact_number("shared bytes", (long long)a.sharedSizeBytes);
    fact_number("max dynamic", a.maxDynamicSharedSizeBytes);
    fact_number("max threads", a.maxThreadsPerBlock);
    fact_number("local bytes", (long long)a.localSizeBytes);
    fact_number("const bytes", (long long)a.constSizeBytes);
    fact_number("carve-out", a.preferredShmemCarveout);
    fact_number("cache mode", a.cacheModeCA);
    FACT(cudaFuncGetAttributes(&a, (const void *)bounded_kernel));
    fact_number("bounded max threads", a.maxThreadsPerBlock);
    FACT(cudaFuncGetAttributes(&a, (const void *)&functions));
    FACT(cudaFuncGetAttributes(&a, NULL));
    FACT(cudaFuncGetAttributes(NULL, (const void *)bounded_kernel));

    static const int blocks[] = {1, 32, 33, 64, 96, 128, 192, 256, 384, 512, 768, 1000, 1024};
    static const int shared[] = {0, 1, 1000, 1024, 8192, 16384, 33792, 49152};
    for (int block : blocks)
        for (int bytes : shared) {
            char name[64];
            int resident = -1;
            const cudaError_t status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &resident, (const void *)empty_kernel, block, bytes);
            snprintf(name, sizeof name, "occupancy %d threads %d bytes", block, bytes);
            fact_number(name, status == cudaSuccess ? resident : -(long long)status);
        }
    int resident = -1;
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, (const void *)empty_kernel, 2048, 0));
    fact_number("occupancy of 2048 threads", resident);
    FACT(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)empty_kernel, 0, 0));
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, (const void *)empty_kernel, 128, 60000));
    fact_number("occupancy of 60000 bytes without opting in", resident);
    FACT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, (const void *)static_shared_kernel, 256, 0));
    fact_number("occupancy of 12000 static bytes", resident);
    size_t available = 0;
    FACT(cudaOccupancyAvailableDynamicSMemPerBlock(&available, (const void *)empty_kernel, 4, 256));
    fact_number("dynamic bytes left to 4 blocks of 256", (long long)available);
    int least_grid = 0, block = 0;
    FACT(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, empty_kernel, 0, 0));
    fact_number("suggested block", block);
}

static void CUDART_CB note(void *where)
{
    *(int *)where += 1;
}

static void CUDART_CB call_cuda(void *where)
{
    void *p = NULL;
    *(cudaError_t *)where = cudaMalloc(&p, 16);
}

static void CUDART_CB old_callback(cudaStream_t, cudaError_t status, void *where)
{
    *(int *)where = 100 + (int)status;
}

static void streams(void)
{
    cudaStream_t stream, urgent;
    cudaEvent_t a, b, no_time, never;
    int priority = 99, count = 0;
    unsigned int flags = 99;
    float ms = -1.0f;
    FACT(cudaStreamCreate(&stream));
    FACT(cudaStreamCreate(NULL));
    FACT(cudaStreamGetPriority(stream, &priority));
    fact_number("priority", priority);
    FACT(cudaStreamGetFlags(stream, &flags));
    fact_number("flags", flags);
    FACT(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -99));
    FACT(cudaStreamGetPriority(urgent, &priority));
    fact_number("priority clamped", priority);
    FACT(cudaStreamGetFlags(urgent, &flags));
    fact_number("flags of non-blocking", flags);
    FACT(cudaStreamGetFlags(0, &flags));
    fact_number("flags of the default stream", flags);
    FACT(cudaStreamCreateWithFlags(&urgent, 99));
    FACT(cudaEventCreate(&a));
    FACT(cudaEventCreate(&b));
    FACT(cudaEventCreate(&never));
    FACT(cudaEventCreateWithFlags(&no_time, cudaEventDisableTiming));
    FACT(cudaEventCreateWithFlags(&no_time, 99));
    FACT(cudaEventElapsedTime(&ms, a, b));
    FACT(cudaEventQuery(never));
    FACT(cudaEventSynchronize(never));
    FACT(cudaStreamWaitEvent(stream, never, 0));
    FACT(cudaEventRecord(a, stream));
    spin_kernel<<<1, 1, 0, stream>>>(12000000);
    FACT(cudaEventRecord(b, stream));
    FACT(cudaEventElapsedTime(&ms, a, b));
    FACT(cudaEventElapsedTime(&ms, a, never));
    FACT(cudaEventSynchronize(b));
    FACT(cudaEventElapsedTime(&ms, a, b));
    fact("a spin takes more than 5 ms", ms > 5.0f ? "yes" : "no");
    FACT(cudaEventElapsedTime(&ms, b, a));
    fact("backwards is negative", ms < 0.0f ? "yes" : "no");
    FACT(cudaEventRecord(no_time, stream));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaEventElapsedTime(&ms, a, no_time));
    FACT(cudaEventRecord(NULL, stream));
    FACT(cudaLaunchHostFunc(stream, note, &count));
    FACT(cudaLaunchHostFunc(stream, NULL, &count));
    FACT(cudaStreamSynchronize(stream));
    fact_number("host function ran", count);
    cudaError_t inside = cudaSuccess;
    FACT(cudaLaunchHostFunc(stream, call_cuda, &inside));
    FACT(cudaStreamSynchronize(stream));
    fact_error("malloc in a host function", inside);
    FACT(cudaStreamAddCallback(stream, old_callback, &count, 0));
    FACT(cudaStreamSynchronize(stream));
    fact_number("callback got status", count - 100);
    FACT(cudaEventDestroy(a));
    FACT(cudaEventDestroy(NULL));
    FACT(cudaStreamDestroy(stream));
    FACT(cudaStreamDestroy(0));
    FACT(cudaStreamSynchronize(0));
    FACT(cudaStreamSynchronize(cudaStreamLegacy));
    FACT(cudaStreamSynchronize(cudaStreamPerThread));
    FACT(cudaStreamQuery(0));
    char *d, *h = (char *)malloc(64);
    FACT(cudaMallocAsync((void **)&d, 64, 0));
    FACT(cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, 0));
    FACT(cudaFreeAsync(d, 0));
    FACT(cudaFreeAsync(d, 0));
    FACT(cudaFreeAsync(NULL, 0));
    FACT(cudaMallocAsync((void **)&d, 64, 0));
    FACT(cudaFree(d));
    FACT(cudaMallocAsync((void **)&d, (size_t)1 << 50, 0));
    FACT(cudaDeviceSynchronize());
}

/* Whether the work is over already is not the question. */
static cudaError_t ready_or_not(cudaError_t status)
{
    return status == cudaErrorNotReady ? cudaSuccess : status;
}

static void capture_errors(void)
{
    cudaStream_t s, other;
    cudaEvent_t event;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaStreamCaptureStatus status;
    size_t info_bytes = 0;
    struct cudaFuncAttributes function_attributes;
    char *d, *p, *h = (char *)malloc(64);
    MUST(cudaMalloc((void **)&d, 64));
    MUST(cudaStreamCreate(&s));
    MUST(cudaStreamCreate(&other));
    MUST(cudaEventCreate(&event));
    FACT(cudaStreamEndCapture(s, &graph));
    FACT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    static const struct {
        const char *name;
        cudaStreamCaptureMode mode;
    } modes[] = {
        {"global", cudaStreamCaptureModeGlobal}, {"relaxed", cudaStreamCaptureModeRelaxed}};
#define DURING(what, call)                                                                  \
    do {                                                                                    \
        char line[160];                                                                     \
        MUST(cudaStreamBeginCapture(s, mode.mode));                                         \
        empty_kernel<<<1, 1, 0, s>>>();                                                     \
        snprintf(line, sizeof line, "%s, %s", mode.name, what);                             \
        fact_call(line, (call));                                                            \
        status = cudaStreamCaptureStatusNone;                                               \
        const cudaError_t asked = cudaStreamIsCapturing(s, &status);                        \
        snprintf(line, sizeof line, "%s, %s, status after", mode.name, what);               \
        printf("%s.%s\t%s %d\n", section_name, line, cudaGetErrorName(asked), (int)status); \
        graph = NULL;                                                                       \
        snprintf(line, sizeof line, "%s, %s, end", mode.name, what);                        \
        fact_call(line, cudaStreamEndCapture(s, &graph));                                   \
        if (graph != NULL)                                                                  \
            cudaGraphDestroy(graph);                                                        \
    } while (0)
    for (const auto &mode : modes) {
        DURING("nothing", cudaSuccess);
        DURING("begin again", cudaStreamBeginCapture(s, mode.mode));
        DURING("malloc", cudaMalloc((void **)&p, 16));
        DURING("synchronise the stream", cudaStreamSynchronize(s));
        DURING("synchronise another", cudaStreamSynchronize(other));
        DURING("synchronise the device", cudaDeviceSynchronize());
        DURING("query the stream", cudaStreamQuery(s));
        DURING("memcpy", cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice));
        DURING("memset", cudaMemset(d, 0, 16));
        DURING("memcpy async", cudaMemcpyAsync(d, h, 16, cudaMemcpyHostToDevice, s));
        DURING("memset async", cudaMemsetAsync(d, 0, 16, s));
        DURING("record", cudaEventRecord(event, s));
        DURING("record then query", (cudaEventRecord(event, s), cudaEventQuery(event)));
        DURING("record then synchronise", (cudaEventRecord(event, s), cudaEventSynchronize(event)));
        DURING("legacy stream async copy", cudaMemcpyAsync(d, h, 16, cudaMemcpyHostToDevice, 0));
        DURING("host function", cudaLaunchHostFunc(s, note, h));
        DURING("callback", cudaStreamAddCallback(s, old_callback, h, 0));
        DURING("event create", cudaEventCreate(&event));
        DURING("stream create", cudaStreamCreate(&other));
        DURING("wait for an event of another stream",
            (cudaEventRecord(event, other), cudaStreamWaitEvent(s, event, 0)));
        DURING("unjoined", (cudaEventRecord(event, s), cudaStreamWaitEvent(other, event, 0),
                               cudaMemsetAsync(d, 0, 16, other)));
        DURING("joined", (cudaEventRecord(event, s), cudaStreamWaitEvent(other, event, 0),
                             cudaMemsetAsync(d, 0, 16, other), cudaEventRecord(event, other),
                             cudaStreamWaitEvent(s, event, 0)));
        DURING("end on the other", (cudaEventRecord(event, s), cudaStreamWaitEvent(other, event, 0),
                                       cudaStreamEndCapture(other, &graph)));
        DURING("malloc async and free", (cudaMallocAsync((void **)&p, 16, s), cudaFreeAsync(p, s)));
        DURING("bad launch", (empty_kernel<<<1, 2048, 0, s>>>(), cudaPeekAtLastError()));
        DURING("query another", cudaStreamQuery(other));
        cudaEvent_t fresh;
        MUST(cudaEventCreate(&fresh));
        DURING("wait for an event that was never recorded", cudaStreamWaitEvent(s, fresh, 0));
        DURING("query an event of another stream",
            ready_or_not((cudaEventRecord(fresh, other), cudaEventQuery(fresh))));
        DURING("synchronise an event of another stream",
            (cudaEventRecord(fresh, other), cudaEventSynchronize(fresh)));
        DURING("free", cudaFree(NULL));
        DURING("pinned", cudaMallocHost((void **)&p, 16));
        DURING("memory info", cudaMemGetInfo(&info_bytes, &info_bytes));
        DURING("function attributes",
            cudaFuncGetAttributes(&function_attributes, (const void *)empty_kernel));
        DURING(
            "launch on another stream", (empty_kernel<<<1, 1, 0, other>>>(), cudaGetLastError()));
        DURING("launch on the default stream", (empty_kernel<<<1, 1>>>(), cudaGetLastError()));
        DURING("destroy the stream of another", cudaStreamDestroy(other));
        MUST(cudaStreamCreate(&other));
    }
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    empty_kernel<<<1, 1, 0, s>>>();
    empty_kernel<<<1, 1, 0, s>>>();
    MUST(cudaStreamEndCapture(s, &graph));
    size_t nodes = 0;
    FACT(cudaGraphGetNodes(graph, NULL, &nodes));
    fact_number("nodes of two launches", (long long)nodes);
#if CUDART_VERSION >= 12000
    FACT(cudaGraphInstantiate(&exec, graph, 0));
#else
    FACT(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    FACT(cudaGraphLaunch(exec, s));
    FACT(cudaGraphLaunch(NULL, s));
    FACT(cudaGraphUpload(exec, s));
    FACT(cudaGraphDestroy(graph));
    FACT(cudaGraphLaunch(exec, s));
    FACT(cudaStreamSynchronize(s));
    FACT(cudaGraphExecDestroy(exec));
    FACT(cudaGraphDestroy(NULL));
}

/* After a fault: what each kind of call answers. */
static void after_fault(const char *kind)
{
    char *d = NULL, *h = (char *)malloc(16);
    int number;
    size_t bytes = 0;
    printf("%s.%s\t", section_name, kind);
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    FACT(cudaMalloc((void **)&d, 16));
    FACT(cudaMemset(d, 0, 16));
    FACT(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    FACT(cudaGetDevice(&number));
    FACT(cudaGetDeviceCount(&number));
    FACT(cudaSetDevice(0));
    FACT(cudaMemGetInfo(&bytes, &bytes));
    cudaStream_t stream;
    FACT(cudaStreamCreate(&stream));
    cudaEvent_t event;
    FACT(cudaEventCreate(&event));
    empty_kernel<<<1, 1>>>();
    fact_call("launch", cudaPeekAtLastError());
    empty_kernel<<<1, 2048>>>();
    fact_call("bad launch", cudaPeekAtLastError());
    FACT(cudaFree(NULL));
    FACT(cudaHostAlloc((void **)&d, 16, 0));
    FACT(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    struct cudaDeviceProp properties;
    FACT(cudaGetDeviceProperties(&properties, 0));
    struct cudaFuncAttributes attributes;
    FACT(cudaFuncGetAttributes(&attributes, (const void *)empty_kernel));
    struct cudaPointerAttributes pointer;
    FACT(cudaPointerGetAttributes(&pointer, h));
    FACT(cudaRuntimeGetVersion(&number));
}

static void fault_illegal_address(void)
{
    char *d;
    cudaStream_t stream;
    cudaEvent_t event;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc((void **)&d, 16));
    write_at_kernel<<<1, 1>>>((char *)16);
    fact_error("right after the launch", cudaGetLastError());
    MUST(cudaEventCreate(&event));
    after_fault("illegal address");
    FACT(cudaFree(d));
    FACT(cudaStreamDestroy(stream));
    FACT(cudaEventDestroy(event));
}

static void fault_misaligned(void)
{
    char *d;
    MUST(cudaMalloc((void **)&d, 16));
    write_int_at_kernel<<<1, 1>>>(d + 1);
    after_fault("misaligned");
}

static void fault_trap(void)
{
    trap_kernel<<<1, 1>>>();
    after_fault("trap");
}

static void fault_free(void)
{
    char *d, *e;
    cudaStream_t stream;
    cudaEvent_t event;
    char *h = (char *)malloc(16);
    MUST(cudaMalloc((void **)&d, 16));
    MUST(cudaMalloc((void **)&e, 16));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&event));
    trap_kernel<<<1, 1>>>();
    FACT(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    FACT(cudaFree(d));
    FACT(cudaFree(e));
    FACT(cudaEventRecord(event, stream));
    FACT(cudaEventQuery(event));
    FACT(cudaStreamQuery(stream));
    FACT(cudaStreamSynchronize(stream));
    FACT(cudaEventDestroy(event));
    FACT(cudaStreamDestroy(stream));
}

static void cooperative(void)
{
    int blocks = 0, sms = 0;
    MUST(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)empty_kernel, 256, 0));
    MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    FACT(cudaLaunchCooperativeKernel(
        (const void *)empty_kernel, dim3(blocks * sms), dim3(256), NULL, 0, 0));
    FACT(cudaLaunchCooperativeKernel(
        (const void *)empty_kernel, dim3(blocks * sms + 1), dim3(256), NULL, 0, 0));
    FACT(cudaLaunchCooperativeKernel((const void *)empty_kernel, dim3(1), dim3(2048), NULL, 0, 0));
    FACT(cudaDeviceSynchronize());
}

static void hints(void)
{
    char *managed, *d;
    const size_t bytes = (size_t)1 << 20;
    MUST(cudaMallocManaged((void **)&managed, bytes));
    MUST(cudaMalloc((void **)&d, bytes));
    int value = -77;
#if CUDART_VERSION >= 13000
    const struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    const struct cudaMemLocation nowhere = {cudaMemLocationTypeDevice, 1000};
#define PREFETCH(p, n, where) cudaMemPrefetchAsync(p, n, where, 0, 0)
#else
    const int here = 0, host = cudaCpuDeviceId, nowhere = 1000;
#define PREFETCH(p, n, where) cudaMemPrefetchAsync(p, n, where, 0)
#endif
#define ASK(attribute)                                                                   \
    do {                                                                                 \
        FACT(cudaMemRangeGetAttribute(&value, sizeof value, attribute, managed, bytes)); \
        fact_number(#attribute, value);                                                  \
    } while (0)
    ASK(cudaMemRangeAttributeReadMostly);
    ASK(cudaMemRangeAttributePreferredLocation);
    ASK(cudaMemRangeAttributeAccessedBy);
    ASK(cudaMemRangeAttributeLastPrefetchLocation);
    FACT(cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly, here));
    ASK(cudaMemRangeAttributeReadMostly);
    FACT(cudaMemAdvise(managed, bytes, cudaMemAdviseSetPreferredLocation, here));
    ASK(cudaMemRangeAttributePreferredLocation);
    FACT(cudaMemAdvise(managed, bytes, cudaMemAdviseSetPreferredLocation, host));
    ASK(cudaMemRangeAttributePreferredLocation);
    FACT(cudaMemAdvise(managed, bytes, cudaMemAdviseSetAccessedBy, here));
    ASK(cudaMemRangeAttributeAccessedBy);
    FACT(PREFETCH(managed, bytes, here));
    ASK(cudaMemRangeAttributeLastPrefetchLocation);
    FACT(PREFETCH(managed, bytes, host));
    ASK(cudaMemRangeAttributeLastPrefetchLocation);
    FACT(PREFETCH(managed, bytes / 2, here));
    ASK(cudaMemRangeAttributeLastPrefetchLocation);
    FACT(cudaMemAdvise(managed, bytes / 2, cudaMemAdviseUnsetReadMostly, here));
    ASK(cudaMemRangeAttributeReadMostly);
    FACT(cudaMemAdvise(managed, bytes, cudaMemAdviseUnsetPreferredLocation, here));
    ASK(cudaMemRangeAttributePreferredLocation);
    FACT(PREFETCH(managed, bytes, nowhere));
    FACT(PREFETCH(managed, bytes * 3, here));
    FACT(PREFETCH(managed, 0, here));
    FACT(PREFETCH(d, bytes, here));
    FACT(cudaMemAdvise(d, bytes, cudaMemAdviseSetReadMostly, here));
    FACT(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, d, bytes));
    FACT(cudaDeviceSynchronize());
}

/* ---------------------------------------------------------------------------------------- */

/* ---------------------------------------------------------------------------------------- */

/* Which calls wait for work that is under way in another stream. */
static void waiting(void)
{
    cudaStream_t busy, aloof;
    cudaEvent_t event;
    char *d, *e, *pinned, *plain = (char *)calloc(1, 1 << 20);
    MUST(cudaStreamCreate(&busy));
    MUST(cudaStreamCreateWithFlags(&aloof, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc((void **)&d, 1 << 20));
    MUST(cudaMalloc((void **)&e, 1 << 20));
    MUST(cudaMallocHost((void **)&pinned, 1 << 20));
    /* What a first call does besides is not the question. */
    spin_kernel<<<1, 1, 0, busy>>>(1);
    char *other = NULL;
    MUST(cudaMallocAsync((void **)&other, 1 << 10, aloof));
    MUST(cudaFreeAsync(other, aloof));
    MUST(cudaDeviceSynchronize());
#define WHILE_BUSY(stream, call)                                                           \
    do {                                                                                   \
        char line[160];                                                                    \
        spin_kernel<<<1, 1, 0, stream>>>(4000000);                                         \
        const cudaError_t status = (call);                                                 \
        const cudaError_t after = cudaStreamQuery(stream);                                 \
        snprintf(line, sizeof line, #call " while " #stream " is busy: returned %s, then", \
            cudaGetErrorName(status));                                                     \
        fact_error(line, after);                                                           \
        MUST(cudaDeviceSynchronize());                                                     \
        cudaGetLastError();                                                                \
    } while (0)
    WHILE_BUSY(busy, cudaStreamQuery(0));
    WHILE_BUSY(busy, cudaStreamSynchronize(0));
    WHILE_BUSY(aloof, cudaStreamQuery(0));
    WHILE_BUSY(aloof, cudaStreamSynchronize(0));
    WHILE_BUSY(busy, cudaStreamSynchronize(cudaStreamPerThread));
    WHILE_BUSY(busy, (cudaEventRecord(event, 0), cudaEventSynchronize(event)));
    WHILE_BUSY(busy, cudaMemcpy(d, plain, 1 << 10, cudaMemcpyHostToDevice));
    WHILE_BUSY(busy, cudaMemcpy(plain, d, 1 << 10, cudaMemcpyDeviceToHost));
    WHILE_BUSY(busy, cudaMemcpy(d, pinned, 1 << 10, cudaMemcpyHostToDevice));
    WHILE_BUSY(busy, cudaMemcpy(d, e, 1 << 10, cudaMemcpyDeviceToDevice));
    WHILE_BUSY(busy, cudaMemcpy(plain, pinned, 1 << 10, cudaMemcpyHostToHost));
    WHILE_BUSY(aloof, cudaMemcpy(d, plain, 1 << 10, cudaMemcpyHostToDevice));
    WHILE_BUSY(busy, cudaMemset(d, 0, 1 << 10));
    WHILE_BUSY(busy, cudaMemset(pinned, 0, 1 << 10));
    WHILE_BUSY(busy, cudaMemcpyAsync(d, pinned, 1 << 20, cudaMemcpyHostToDevice, busy));
    WHILE_BUSY(busy, cudaMemcpyAsync(d, plain, 1 << 10, cudaMemcpyHostToDevice, busy));
    WHILE_BUSY(busy, cudaMemcpyAsync(d, plain, 1 << 20, cudaMemcpyHostToDevice, busy));
    WHILE_BUSY(busy, cudaMemcpyAsync(pinned, d, 1 << 20, cudaMemcpyDeviceToHost, busy));
    WHILE_BUSY(busy, cudaMemcpyAsync(plain, d, 1 << 10, cudaMemcpyDeviceToHost, busy));
    WHILE_BUSY(busy, cudaMemcpyAsync(plain, pinned, 1 << 10, cudaMemcpyHostToHost, busy));
    WHILE_BUSY(busy, cudaMalloc((void **)&other, 1 << 20));
    WHILE_BUSY(busy, cudaFree(other));
    MUST(cudaMalloc((void **)&other, 1 << 20));
    WHILE_BUSY(aloof, cudaFree(other));
    WHILE_BUSY(busy, cudaFree(NULL));
    WHILE_BUSY(busy, cudaMallocHost((void **)&other, 1 << 20));
    WHILE_BUSY(busy, cudaFreeHost(other));
    WHILE_BUSY(busy, cudaMallocManaged((void **)&other, 1 << 20));
    WHILE_BUSY(busy, cudaFree(other));
    WHILE_BUSY(busy, cudaMallocAsync((void **)&other, 1 << 10, aloof));
    WHILE_BUSY(busy, cudaFreeAsync(other, aloof));
    cudaStream_t short_lived;
    WHILE_BUSY(busy, cudaStreamCreate(&short_lived));
    WHILE_BUSY(busy, cudaStreamDestroy(short_lived));
    WHILE_BUSY(busy, cudaMemcpyToSymbol(counter, plain, 4));
    WHILE_BUSY(busy, cudaMemcpyToSymbolAsync(counter, plain, 4, 0, cudaMemcpyHostToDevice, busy));
    WHILE_BUSY(busy, (empty_kernel<<<1, 1>>>(), cudaStreamSynchronize(0)));
    WHILE_BUSY(busy, (empty_kernel<<<1, 1, 0, aloof>>>(), cudaStreamSynchronize(aloof)));
    WHILE_BUSY(busy, cudaHostRegister(plain, 1 << 20, 0));
    WHILE_BUSY(busy, cudaHostUnregister(plain));
    WHILE_BUSY(busy, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
}

/* Small allocations: is the size that was asked for, or the block behind it, the bound? */
static void small_bounds(void)
{
    char *d, *p = (char *)16, *h = (char *)calloc(1, 1 << 22);
    MUST(cudaMalloc((void **)&d, 1000));
    FACT(cudaMemcpy(d, h, 1001, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, h, 1025, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice));
    FACT(cudaMemcpy(d, h, 4 << 20, cudaMemcpyHostToDevice));
    FACT(cudaMemset(d, 0, 1001));
    FACT(cudaMemset(d, 0, 4 << 20));
    FACT(cudaMalloc((void **)&p, (size_t)1 << 62));
    fact("a failed cudaMalloc leaves the pointer", p == (char *)16 ? "as it was"
                                                   : p == NULL     ? "NULL"
                                                                   : "changed");
    p = (char *)16;
    FACT(cudaMalloc((void **)&p, 0));
    fact("cudaMalloc of 0 bytes makes the pointer", p == NULL ? "NULL" : "something else");
    p = (char *)16;
    FACT(cudaMallocHost((void **)&p, (size_t)1 << 62));
    fact("a failed cudaMallocHost leaves the pointer", p == (char *)16 ? "as it was"
                                                       : p == NULL     ? "NULL"
                                                                       : "changed");
    p = (char *)16;
    FACT(cudaMallocManaged((void **)&p, (size_t)1 << 62));
    fact("a failed cudaMallocManaged leaves the pointer", p == (char *)16 ? "as it was"
                                                          : p == NULL     ? "NULL"
                                                                          : "changed");
    FACT(cudaFree(d + 1000));
    FACT(cudaFree(d));
}

static void graphs(void)
{
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    cudaGraphNode_t a, b, c, copy, set, call, empty;
    cudaGraphNodeType type;
    char *d, *h = (char *)calloc(1, 64);
    int *cell, count = 0;
    size_t number = 0;
    MUST(cudaMalloc((void **)&d, 64));
    MUST(cudaMalloc((void **)&cell, 64));
    MUST(cudaMemset(cell, 0, 64));
    void *arguments[] = {&cell};
    struct cudaKernelNodeParams kernel = {};
    kernel.func = (void *)increment_kernel;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    struct cudaHostNodeParams host = {note, &count};
    struct cudaMemsetParams fill = {};
    fill.dst = d;
    fill.value = 0x01020304;
    fill.elementSize = 4;
    fill.width = 4;
    fill.height = 1;
    FACT(cudaGraphCreate(&graph, 0));
    FACT(cudaGraphCreate(&other, 1));
    FACT(cudaGraphCreate(NULL, 0));
    FACT(cudaGraphAddKernelNode(&a, graph, NULL, 0, &kernel));
    FACT(cudaGraphAddKernelNode(&b, graph, &a, 1, &kernel));
    FACT(cudaGraphAddKernelNode(&c, graph, NULL, 0, NULL));
    kernel.blockDim = dim3(2048);
    FACT(cudaGraphAddKernelNode(&c, graph, NULL, 0, &kernel));
    kernel.blockDim = dim3(32);
    FACT(cudaGraphAddMemcpyNode1D(&copy, graph, &b, 1, h, cell, 4, cudaMemcpyDeviceToHost));
    FACT(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    FACT(cudaGraphAddHostNode(&call, graph, &copy, 1, &host));
    FACT(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
#if CUDART_VERSION >= 13000
#define EDGES(f, t, n) cudaGraphAddDependencies(graph, f, t, NULL, n)
#else
#define EDGES(f, t, n) cudaGraphAddDependencies(graph, f, t, n)
#endif
    FACT(EDGES(&set, &empty, 1));
    FACT(EDGES(&a, &a, 1));
    FACT(cudaGraphGetNodes(graph, NULL, &number));
    fact_number("nodes", (long long)number);
    FACT(cudaGraphGetRootNodes(graph, NULL, &number));
    fact_number("roots", (long long)number);
    FACT(cudaGraphNodeGetType(copy, &type));
    fact_number("type of a copy", type);
#if CUDART_VERSION >= 12000
    FACT(cudaGraphInstantiate(&exec, graph, 0));
#else
    FACT(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    fact_number("the host function has not run", count);
    FACT(cudaGraphLaunch(exec, 0));
    FACT(cudaDeviceSynchronize());
    fact_number("increments seen by the host", *(int *)h);
    fact_number("the host function ran", count);
    FACT(cudaGraphLaunch(exec, 0));
    FACT(cudaGraphLaunch(exec, 0));
    FACT(cudaDeviceSynchronize());
    fact_number("increments after three launches", *(int *)h);
    int *elsewhere = cell + 8;
    arguments[0] = &elsewhere;
    FACT(cudaGraphExecKernelNodeSetParams(exec, a, &kernel));
    FACT(cudaGraphLaunch(exec, 0));
    FACT(cudaDeviceSynchronize());
    fact_number("increments when one node goes elsewhere", *(int *)h);
    kernel.blockDim = dim3(2048);
    FACT(cudaGraphExecKernelNodeSetParams(exec, a, &kernel));
    kernel.blockDim = dim3(32);
    FACT(cudaGraphExecKernelNodeSetParams(exec, copy, &kernel));
    FACT(cudaGraphKernelNodeSetParams(b, &kernel));
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info;
    FACT(cudaGraphExecUpdate(exec, graph, &info));
    fact_number("result of the update", info.result);
    FACT(cudaGraphLaunch(exec, 0));
    FACT(cudaDeviceSynchronize());
    fact_number("increments after the update", *(int *)h);
    FACT(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
    FACT(cudaGraphExecUpdate(exec, graph, &info));
    fact_number("result of an impossible update", info.result);
    FACT(cudaGraphLaunch(exec, 0));
    FACT(cudaDeviceSynchronize());
    fact_number("increments after the impossible update", *(int *)h);
#endif
    int filled = 0;
    MUST(cudaMemcpy(&filled, d + 12, 4, cudaMemcpyDeviceToHost));
    fact_number("last word filled", filled);
    struct cudaKernelNodeParams asked = {};
    FACT(cudaGraphKernelNodeGetParams(b, &asked));
    fact_number("block of a kernel node", asked.blockDim.x);
    fact("its argument", asked.kernelParams != NULL && *(int **)asked.kernelParams[0] == elsewhere
                             ? "as set"
                             : "another");
    FACT(cudaGraphKernelNodeGetParams(copy, &asked));
#if CUDART_VERSION >= 13000
#define CUT(f, t, n) cudaGraphRemoveDependencies(graph, f, t, NULL, n)
#else
#define CUT(f, t, n) cudaGraphRemoveDependencies(graph, f, t, n)
#endif
    FACT(CUT(&a, &b, 1));
    FACT(CUT(&a, &b, 1));
    FACT(EDGES(&a, &b, 1));
    FACT(cudaGraphDestroyNode(empty));
    FACT(cudaGraphGetNodes(graph, NULL, &number));
    fact_number("nodes left", (long long)number);
    FACT(cudaGraphClone(&other, graph));
    FACT(cudaGraphNodeFindInClone(&c, b, other));
    FACT(cudaGraphDestroy(other));
    FACT(EDGES(&call, &a, 1)); /* a circle */
    cudaGraphExec_t impossible;
    FACT(cudaGraphInstantiateWithFlags(&impossible, graph, 0));
    FACT(cudaGraphDestroy(graph));
    FACT(cudaGraphExecDestroy(exec));
}

/* A child of a process that has used the device. */
static void forking(void)
{
    void *p = NULL;
    MUST(cudaMalloc(&p, 16));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        int number = 0;
        FACT(cudaMalloc(&p, 16));
        FACT(cudaGetDeviceCount(&number));
        FACT(cudaDeviceSynchronize());
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Two devices; on a machine with one these facts are missing. */
static void peers(void)
{
    int devices = 0, can = -1, current = -1;
    char *near = NULL, *far = NULL, *h = (char *)calloc(1, 4096);
    cudaStream_t near_stream, far_stream;
    cudaEvent_t near_event, far_event;
    float ms = 0.0f;
    MUST(cudaGetDeviceCount(&devices));
    if (devices < 2)
        return;
    MUST(cudaSetDevice(1));
    MUST(cudaMalloc((void **)&far, 4096));
    MUST(cudaStreamCreate(&far_stream));
    MUST(cudaEventCreate(&far_event));
    MUST(cudaSetDevice(0));
    MUST(cudaMalloc((void **)&near, 4096));
    MUST(cudaStreamCreate(&near_stream));
    MUST(cudaEventCreate(&near_event));
    describe("on the other device", far);
    FACT(cudaDeviceCanAccessPeer(&can, 0, 1));
    fact_number("can access", can);
    FACT(cudaMemcpy(near, far, 4096, cudaMemcpyDeviceToDevice));
    FACT(cudaMemcpy(near, far, 4096, cudaMemcpyDefault));
    FACT(cudaMemcpyPeer(near, 0, far, 1, 4096));
    FACT(cudaMemcpyPeer(near, 1, far, 0, 4096));
    FACT(cudaMemcpyPeer(near, 0, far, 7, 4096));
    FACT(cudaMemcpyPeerAsync(near, 0, far, 1, 4096, near_stream));
    FACT(cudaMemcpyPeerAsync(near, 0, far, 1, 4096, far_stream));
    FACT(cudaMemcpy(far, h, 4096, cudaMemcpyHostToDevice));
    FACT(cudaMemset(far, 0, 4096));
    FACT(cudaMemsetAsync(far, 0, 4096, far_stream));
    FACT(cudaMemsetAsync(far, 0, 4096, near_stream));
    FACT(cudaMemcpyAsync(far, h, 4096, cudaMemcpyHostToDevice, far_stream));
    FACT(cudaMemcpyAsync(far, h, 4096, cudaMemcpyHostToDevice, near_stream));
    empty_kernel<<<1, 1, 0, far_stream>>>();
    fact_call("launch into the other device's stream", cudaPeekAtLastError());
    FACT(cudaEventRecord(near_event, far_stream));
    FACT(cudaEventRecord(far_event, near_stream));
    FACT(cudaEventRecord(far_event, far_stream));
    FACT(cudaEventRecord(near_event, near_stream));
    FACT(cudaStreamWaitEvent(near_stream, far_event, 0));
    FACT(cudaStreamSynchronize(far_stream));
    FACT(cudaStreamSynchronize(near_stream));
    FACT(cudaEventElapsedTime(&ms, near_event, far_event));
    FACT(cudaLaunchHostFunc(far_stream, note, h));
    FACT(cudaStreamQuery(far_stream));
    FACT(cudaDeviceEnablePeerAccess(1, 0));
    FACT(cudaDeviceEnablePeerAccess(1, 0));
    FACT(cudaDeviceEnablePeerAccess(1, 1));
    write_at_kernel<<<1, 1>>>(far);
    fact_call("kernel writes to the peer", cudaDeviceSynchronize());
    FACT(cudaDeviceDisablePeerAccess(1));
    FACT(cudaDeviceDisablePeerAccess(1));
    FACT(cudaFree(far));
    FACT(cudaGetDevice(&current));
    fact_number("current device", current);
    FACT(cudaStreamDestroy(far_stream));
    FACT(cudaEventDestroy(far_event));
    MUST(cudaSetDevice(1));
    MUST(cudaMalloc((void **)&far, 4096));
    FACT(cudaMallocManaged((void **)&h, 4096));
    write_at_kernel<<<1, 1>>>(near);
    fact_call("kernel writes to the other device without access", cudaDeviceSynchronize());
    MUST(cudaSetDevice(0));
    FACT(cudaDeviceSynchronize());
    FACT(cudaMalloc((void **)&near, 4096));
}

static void properties(void)
{
    struct cudaDeviceProp p;
    MUST(cudaGetDeviceProperties(&p, 0));
    fact("name", p.name);
#define SIZE(field) fact_number(#field, (long long)p.field)
    SIZE(totalGlobalMem);
    SIZE(sharedMemPerBlock);
    SIZE(regsPerBlock);
    SIZE(warpSize);
    SIZE(memPitch);
    SIZE(maxThreadsPerBlock);
    SIZE(maxThreadsDim[0]);
    SIZE(maxThreadsDim[1]);
    SIZE(maxThreadsDim[2]);
    SIZE(maxGridSize[0]);
    SIZE(maxGridSize[1]);
    SIZE(maxGridSize[2]);
    SIZE(totalConstMem);
    SIZE(major);
    SIZE(minor);
    SIZE(multiProcessorCount);
    SIZE(memoryBusWidth);
    SIZE(l2CacheSize);
    SIZE(persistingL2CacheMaxSize);
    SIZE(accessPolicyMaxWindowSize);
    SIZE(sharedMemPerMultiprocessor);
    SIZE(sharedMemPerBlockOptin);
    SIZE(reservedSharedMemPerBlock);
    SIZE(asyncEngineCount);
    for (int i = 1; i < 150; i++) {
        int value = 0;
        char name[32];
        const cudaError_t status = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)i, 0);
        snprintf(name, sizeof name, "attribute %d", i);
        if (status == cudaSuccess)
            fact_number(name, value);
        else
            fact_error(name, status);
        cudaGetLastError();
    }
    struct cudaFuncAttributes a;
    MUST(cudaFuncGetAttributes(&a, (const void *)static_shared_kernel));
    fact_number("registers", a.numRegs);
    fact_number("ptx version", a.ptxVersion);
    fact_number("binary version", a.binaryVersion);
    size_t free_bytes, total_bytes;
    MUST(cudaMemGetInfo(&free_bytes, &total_bytes));
    fact_number("memory in use when idle", (long long)(total_bytes - free_bytes));
    int number = 0;
    MUST(cudaDriverGetVersion(&number));
    fact_number("driver", number);
}

/* A wait is for the latest record at the time of the wait, whatever is recorded later. */
static void records(void)
{
    cudaStream_t a, b;
    cudaEvent_t event;
    int *cell, *host;
    MUST(cudaStreamCreate(&a));
    MUST(cudaStreamCreate(&b));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc(&cell, 4));
    MUST(cudaMallocHost(&host, 8));
    MUST(cudaMemset(cell, 0, 4));
    MUST(cudaDeviceSynchronize());
    increment_kernel<<<1, 1, 0, a>>>(cell);
    FACT(cudaEventRecord(event, a));
    FACT(cudaStreamWaitEvent(b, event, 0));
    FACT(cudaMemcpyAsync(host, cell, 4, cudaMemcpyDeviceToHost, b));
    FACT(cudaStreamSynchronize(b));
    fact_number("after one record", host[0]);
    increment_kernel<<<1, 1, 0, a>>>(cell);
    FACT(cudaEventRecord(event, a));
    FACT(cudaEventSynchronize(event));
    FACT(cudaMemcpyAsync(host, cell, 4, cudaMemcpyDeviceToHost, b));
    FACT(cudaStreamSynchronize(b));
    fact_number("after another record of the same event", host[0]);
    FACT(cudaEventDestroy(event));
    FACT(cudaMemset2D(cell, 2, 0, 4, 1));
    FACT(cudaMemset2D(cell, 2, 0, 4, 2));
    FACT(cudaMemcpyAsync(cell, host, 4, cudaMemcpyDeviceToHost, a));
    FACT(cudaMemcpyAsync(host, cell, 4, cudaMemcpyDefault, a));
    FACT(cudaStreamSynchronize(a));
}

static const struct section {
    const char *name;
    void (*run)(void);
} sections[] = {{"launch", launch_limits}, {"last_error", last_error}, {"memory", memory},
    {"pointer", pointers}, {"symbol", symbols}, {"device", device_calls}, {"function", functions},
    {"stream", streams}, {"capture", capture_errors}, {"cooperative", cooperative}, {"hint", hints},
    {"illegal_address", fault_illegal_address}, {"misaligned", fault_misaligned},
    {"trap", fault_trap}, {"free_after_fault", fault_free}, {"peer", peers}, {"waiting", waiting},
    {"bounds", small_bounds}, {"graph", graphs}, {"fork", forking}, {"record", records}};

static int run_apart(const struct section *section)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        section_name = section->name;
        section->run();
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
        printf("%s.ended\tstatus %d\n", section->name, status);
    return status != 0;
}

int main(int count, char **words)
{
    static const struct section own_sizes = {"property", properties};
    setvbuf(stdout, NULL, _IOLBF, 0);
    int failures = 0;
    if (count > 1 && strcmp(words[1], "properties") == 0)
        return run_apart(&own_sizes);
    for (const struct section &section : sections)
        if (count < 2 || strcmp(words[1], section.name) == 0)
            failures += run_apart(&section);
    return failures != 0;
}
