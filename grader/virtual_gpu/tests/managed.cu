/* Managed memory: one address for both sides, pages that move, hints that are kept. */
#include "check.h"

#include "../vgpu.h"

#include <dlfcn.h>
#include <string.h>

enum { PAGES = 8, PAGE = 65536, N = PAGES * PAGE / (int)sizeof(int) };

static void (*get_counters)(struct vgpu_counters *);
static size_t (*get_findings)(struct vgpu_finding *, size_t);
static void (*clear)(void);

__managed__ int variable = 41;
__managed__ int table[4] = {1, 2, 3, 4};

__global__ void add_one_kernel(int *cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i] += 1;
}

__global__ void variable_kernel(void)
{
    variable += table[3];
}

static uint64_t faults_since_clear(void)
{
    struct vgpu_counters counted;
    get_counters(&counted);
    return counted.device_page_faults;
}

static uint64_t moved_since_clear(void)
{
    struct vgpu_counters counted;
    get_counters(&counted);
    return counted.migrated_bytes;
}

static cudaError_t prefetch(void *pointer, size_t bytes, int device, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation place = {cudaMemLocationTypeDevice, device};
    if (device == cudaCpuDeviceId)
        place.type = cudaMemLocationTypeHost;
    return cudaMemPrefetchAsync(pointer, bytes, place, 0, stream);
#else
    return cudaMemPrefetchAsync(pointer, bytes, device, stream);
#endif
}

static void fill(int *cells, int value)
{
    for (int i = 0; i < N; i++)
        cells[i] = value;
}

static bool all_are(const int *cells, int value)
{
    for (int i = 0; i < N; i++)
        if (cells[i] != value)
            return false;
    return true;
}

static void pages_move_on_demand(int *cells)
{
    fill(cells, 1);
    clear();
    add_one_kernel<<<N / 256, 256>>>(cells, N);
    OK(cudaDeviceSynchronize());
    CHECK(faults_since_clear() == PAGES);
    CHECK(moved_since_clear() == PAGES * PAGE);
    add_one_kernel<<<N / 256, 256>>>(cells, N); /* they are there now */
    OK(cudaDeviceSynchronize());
    CHECK(faults_since_clear() == PAGES);
    CHECK(all_are(cells, 3)); /* and come back one by one */
    CHECK(moved_since_clear() == 2 * PAGES * PAGE);
    CHECK(get_findings(NULL, 0) == 0);
}

static void prefetched_pages_do_not_fault(int *cells)
{
    fill(cells, 1);
    clear();
    OK(prefetch(cells, N * sizeof(int), 0, 0));
    add_one_kernel<<<N / 256, 256>>>(cells, N);
    OK(prefetch(cells, N * sizeof(int), cudaCpuDeviceId, 0));
    OK(cudaDeviceSynchronize());
    CHECK(faults_since_clear() == 0);
    CHECK(moved_since_clear() == 2 * PAGES * PAGE);
    CHECK(all_are(cells, 2));
    CHECK(moved_since_clear() == 2 * PAGES * PAGE);
}

static void half_a_prefetch_leaves_half_the_faults(int *cells)
{
    fill(cells, 1);
    clear();
    OK(prefetch(cells, N * sizeof(int) / 2, 0, 0));
    add_one_kernel<<<N / 256, 256>>>(cells, N);
    OK(cudaDeviceSynchronize());
    CHECK(faults_since_clear() == PAGES / 2);
}

static void reading_without_waiting_is_noticed(int *cells)
{
    struct vgpu_finding finding;
    fill(cells, 5);
    clear();
    add_one_kernel<<<N / 256, 256>>>(cells, N);
    CHECK(cells[0] == 5); /* the kernel has not run */
    CHECK(get_findings(&finding, 1) == 1);
    CHECK(strcmp(finding.word, "managed-touch") == 0);
    OK(cudaDeviceSynchronize());
    CHECK(all_are(cells, 6));
}

__global__ void touch_two_kernel(char *bytes)
{
    bytes[100] = bytes[3 * PAGE];
}

static cudaError_t advise(void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation place = {cudaMemLocationTypeDevice, device};
    if (device == cudaCpuDeviceId)
        place.type = cudaMemLocationTypeHost;
    return cudaMemAdvise(pointer, bytes, advice, place);
#else
    return cudaMemAdvise(pointer, bytes, advice, device);
#endif
}

/* What an H200 says (driver 580, CUDA 13.0): the errors are not all the same. */
static void devices_that_are_not_there(int *cells)
{
    const size_t bytes = N * sizeof(int);
    const int nowhere = 4096;
    CHECK_CALL(prefetch(cells, bytes, nowhere, 0), cudaErrorInvalidDevice);
    CHECK_CALL(cudaGetLastError(), cudaErrorInvalidDevice);
    CHECK_CALL(advise(cells, bytes, cudaMemAdviseSetAccessedBy, nowhere), cudaErrorInvalidValue);
    CHECK_CALL(cudaGetLastError(), cudaErrorInvalidValue);
    OK(advise(cells, bytes, cudaMemAdviseSetReadMostly, nowhere));
    OK(advise(cells, bytes, cudaMemAdviseUnsetReadMostly, nowhere));
    OK(advise(cells, bytes, cudaMemAdviseUnsetAccessedBy, cudaCpuDeviceId));
}

/* Only the pages that a kernel touches move; what it only reads stays when copies are advised. */
static void only_touched_pages_move(int *cells)
{
    fill(cells, 1);
    clear();
    touch_two_kernel<<<1, 1>>>((char *)cells);
    OK(cudaDeviceSynchronize());
    CHECK(faults_since_clear() == 2);
    CHECK(moved_since_clear() == 2 * PAGE);
    CHECK(cells[N - 1] == 1);
    CHECK(moved_since_clear() == 2 * PAGE);
}

__global__ void count_kernel(unsigned *counter, bool for_all)
{
    if (for_all)
        atomicAdd_system(counter, 1u);
    else
        atomicAdd(counter, 1u);
}

static bool scope_is_noticed(unsigned *counter, bool for_all, bool waits)
{
    struct vgpu_finding findings[8];
    bool found = false;
    clear();
    count_kernel<<<1, 32>>>(counter, for_all);
    if (waits)
        OK(cudaDeviceSynchronize());
    __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
    OK(cudaDeviceSynchronize());
    const size_t count = get_findings(findings, 8);
    for (size_t i = 0; i < count && i < 8; i++)
        found |= strcmp(findings[i].word, "atomic-scope") == 0;
    return found;
}

static void atomics_need_the_right_scope(unsigned *counter)
{
    *counter = 0;
    CHECK(scope_is_noticed(counter, false, false));
    CHECK(!scope_is_noticed(counter, true, false));
    CHECK(!scope_is_noticed(counter, false, true));
    CHECK(*counter == 3 * 33);
}

static void variables(void)
{
    CHECK(variable == 41);
    variable += 1;
    variable_kernel<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    CHECK(variable == 46);
}

/* One variable for all devices, also those that load the program after it was written. */
static void variables_of_all_devices(void)
{
    int devices = 0;
    OK(cudaGetDeviceCount(&devices));
    variable = 5;
    for (int device = 0; device < devices; device++) {
        OK(cudaSetDevice(device));
        variable_kernel<<<1, 1>>>();
        OK(cudaDeviceSynchronize());
    }
    CHECK(variable == 5 + 4 * devices);
    OK(cudaSetDevice(0));
}

/* The host waits for a kernel by looking at managed memory. */
static void polling(void)
{
    volatile int *flag = &variable;
    *flag = 0;
    add_one_kernel<<<1, 1>>>(&variable, 1);
    while (*flag == 0) {
    }
    CHECK(*flag == 1);
    OK(cudaDeviceSynchronize());
}

int main(void)
{
    int *cells;
    *(void **)&get_counters = dlsym(RTLD_DEFAULT, "vgpu_counters");
    *(void **)&get_findings = dlsym(RTLD_DEFAULT, "vgpu_findings");
    *(void **)&clear = dlsym(RTLD_DEFAULT, "vgpu_clear");
    CHECK(get_counters != NULL && get_findings != NULL && clear != NULL);
    if (checks_failed != 0)
        return check_result("managed");
    OK(cudaMallocManaged((void **)&cells, N * sizeof(int)));
    pages_move_on_demand(cells);
    prefetched_pages_do_not_fault(cells);
    half_a_prefetch_leaves_half_the_faults(cells);
    reading_without_waiting_is_noticed(cells);
    only_touched_pages_move(cells);
    devices_that_are_not_there(cells);
    atomics_need_the_right_scope((unsigned *)cells);
    variables();
    variables_of_all_devices();
    polling();
    OK(cudaFree(cells));
    return check_result("managed");
}
