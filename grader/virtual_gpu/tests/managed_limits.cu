/* Managed memory where there is little of the device's, and where pages do not move by themselves:
 *
 *   managed_limits evict   with VGPU_MEMORY=16M
 *   managed_limits basic   with VGPU_MANAGED=basic
 *   managed_limits touch   the same, and the host does what it must not
 */
#include "check.h"

#include "../vgpu.h"

#include <dlfcn.h>
#include <string.h>

enum { PAGE = 65536, PAGES = 1024, FITTING = 256 };
#define BYTES ((size_t)PAGES * PAGE)

static void (*get_counters)(struct vgpu_counters *);
static void (*clear)(void);

__global__ void touch_pages_kernel(char *bytes, int pages)
{
    for (int i = 0; i < pages; i++)
        bytes[(size_t)i * PAGE] += 1;
}

/* In pages, since the last clear. */
static void counted(unsigned *faults, unsigned *moved)
{
    struct vgpu_counters counters;
    get_counters(&counters);
    *faults = (unsigned)counters.device_page_faults;
    *moved = (unsigned)(counters.migrated_bytes / PAGE);
}

static float ms_of_touching(char *bytes, int pages)
{
    cudaEvent_t start, end;
    float ms = 0.0f;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start, 0));
    touch_pages_kernel<<<1, 1>>>(bytes, pages);
    OK(cudaEventRecord(end, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, start, end));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    return ms;
}

static void what_does_not_fit_is_evicted(void)
{
    unsigned faults, moved;
    size_t free_bytes, total;
    char *bytes;
    OK(cudaMallocManaged((void **)&bytes, BYTES));
    memset(bytes, 0, BYTES);
    clear();
    ms_of_touching(bytes, FITTING);
    const float at_home = ms_of_touching(bytes, FITTING);
    counted(&faults, &moved);
    CHECK(faults == FITTING && moved == FITTING);
    OK(cudaMemGetInfo(&free_bytes, &total));
    CHECK(total == (size_t)FITTING * PAGE && free_bytes == 0);

    /* Each page comes, and pushes out the one that was used longest ago, which is needed next. */
    clear();
    const float thrashing = ms_of_touching(bytes, PAGES);
    counted(&faults, &moved);
    CHECK(faults == PAGES - FITTING && moved == 2 * (PAGES - FITTING));
    CHECK(thrashing > 20.0f * at_home);
    clear();
    ms_of_touching(bytes, PAGES);
    counted(&faults, &moved);
    CHECK(faults == PAGES && moved == 2 * PAGES);
    for (int i = 0; i < PAGES; i++)
        CHECK(bytes[(size_t)i * PAGE] == (i < FITTING ? 4 : 2));

    /* Memory of cudaMalloc takes the place of pages, which can wait at the host. */
    char *device, *refused;
    OK(cudaMalloc((void **)&device, BYTES / 8));
    clear();
    ms_of_touching(bytes, FITTING / 2);
    ms_of_touching(bytes, FITTING / 2);
    counted(&faults, &moved);
    CHECK(faults == FITTING / 2);
    CHECK_CALL(cudaMalloc((void **)&refused, BYTES), cudaErrorMemoryAllocation);
    OK(cudaFree(device));
    OK(cudaFree(bytes));
}

static cudaError_t prefetch_to_device(void *pointer, size_t bytes)
{
#if CUDART_VERSION >= 13000
    const struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    return cudaMemPrefetchAsync(pointer, bytes, device, 0, 0);
#else
    return cudaMemPrefetchAsync(pointer, bytes, 0, 0);
#endif
}

static cudaError_t prefer_device(void *pointer, size_t bytes)
{
#if CUDART_VERSION >= 13000
    const struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    return cudaMemAdvise(pointer, bytes, cudaMemAdviseSetPreferredLocation, device);
#else
    return cudaMemAdvise(pointer, bytes, cudaMemAdviseSetPreferredLocation, 0);
#endif
}

static void nothing_faults_where_pages_do_not_move(void)
{
    unsigned faults, moved;
    int value = 1;
    char *bytes, *other;
    struct cudaDeviceProp properties;
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0));
    OK(cudaGetDeviceProperties(&properties, 0));
    CHECK(value == 0 && properties.concurrentManagedAccess == 0);
    OK(cudaMallocManaged((void **)&bytes, 4 * PAGE));
    OK(cudaMallocManaged((void **)&other, 2 * PAGE, cudaMemAttachHost));
    memset(bytes, 1, 4 * PAGE);
    memset(other, 1, 2 * PAGE);
    CHECK_CALL(prefetch_to_device(bytes, PAGE), cudaErrorInvalidDevice);
    CHECK_CALL(prefer_device(bytes, PAGE), cudaErrorInvalidDevice);
    (void)cudaGetLastError();
    clear();
    touch_pages_kernel<<<1, 1>>>(bytes, 1);
    other[0] = 5; /* attached to the host: no kernel has it */
    OK(cudaDeviceSynchronize());
    counted(&faults, &moved);
    CHECK(faults == 0 && moved == 4);
    CHECK(bytes[0] == 2 && bytes[PAGE] == 1 && other[0] == 5);
    OK(cudaFree(bytes));
    OK(cudaFree(other));
}

/* Another allocation than the kernel's: here that does not help. */
static void touch_too_early(void)
{
    char *bytes, *other;
    OK(cudaMallocManaged((void **)&bytes, PAGE));
    OK(cudaMallocManaged((void **)&other, PAGE));
    bytes[0] = other[0] = 1;
    touch_pages_kernel<<<1, 1>>>(bytes, 1);
    other[0] = 2;
    printf("not reached\n");
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    *(void **)&get_counters = dlsym(RTLD_DEFAULT, "vgpu_counters");
    *(void **)&clear = dlsym(RTLD_DEFAULT, "vgpu_clear");
    CHECK(get_counters != NULL && clear != NULL);
    if (checks_failed == 0 && strcmp(word, "evict") == 0)
        what_does_not_fit_is_evicted();
    else if (checks_failed == 0 && strcmp(word, "basic") == 0)
        nothing_faults_where_pages_do_not_move();
    else if (checks_failed == 0 && strcmp(word, "touch") == 0)
        touch_too_early();
    return check_result(word);
}
