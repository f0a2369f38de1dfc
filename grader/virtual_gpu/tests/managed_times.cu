/* The time that pages of managed memory take, at a sixteenth of the size, against an H200: what
 * hw5.2 measured there (driver 580.159.04, CUDA 13.0, 2026-11-30). */
#include "check.h"

#include <dlfcn.h>
#include <stdint.h>

enum { MIB = 1 << 20, PAGE_INTS = 65536 / sizeof(int), THREADS = 256 };

static uint64_t (*now_ns)(void);

static __global__ void increment_kernel(int *cells, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        cells[i] += 1;
}

static __global__ void touch_kernel(int *cells, size_t pages)
{
    const size_t page = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (page < pages)
        atomicAdd(&cells[page * PAGE_INTS], 0);
}

static void increment(int *cells, size_t n)
{
    increment_kernel<<<(unsigned)(n / THREADS), THREADS>>>(cells, n);
}

static void prefetch(int *cells, size_t n, int device)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation place = {cudaMemLocationTypeDevice, device};
    if (device == cudaCpuDeviceId)
        place.type = cudaMemLocationTypeHost;
    OK(cudaMemPrefetchAsync(cells, n * sizeof *cells, place, 0, 0));
#else
    OK(cudaMemPrefetchAsync(cells, n * sizeof *cells, device, 0));
#endif
}

static void one_prefetch(int *cells, size_t n)
{
    prefetch(cells, n, 0);
    increment(cells, n);
}

static void half_a_prefetch(int *cells, size_t n)
{
    prefetch(cells, n / 2, 0);
    increment(cells, n);
}

static void prefetch_in_pieces(int *cells, size_t n)
{
    for (size_t first = 0; first < n; first += n / 32)
        one_prefetch(cells + first, n / 32);
}

static void page_a_lane(int *cells, size_t n)
{
    const size_t pages = n / PAGE_INTS;
    touch_kernel<<<(unsigned)(pages / 32), 32>>>(cells, pages);
    increment(cells, n);
}

static void prefetch_home(int *cells, size_t n)
{
    prefetch(cells, n, cudaCpuDeviceId);
}

/* From the call until the device is idle. The host has just touched every page, or all of them are
 * on the device. */
static double time_ms(void (*way)(int *, size_t), size_t bytes, bool from_device)
{
    const size_t n = bytes / sizeof(int);
    int *cells;
    OK(cudaMallocManaged((void **)&cells, bytes));
    for (size_t i = 0; i < n; i++)
        cells[i] = (int)i;
    if (from_device)
        one_prefetch(cells, n);
    OK(cudaDeviceSynchronize());
    const uint64_t start = now_ns();
    way(cells, n);
    OK(cudaDeviceSynchronize());
    const double ms = (double)(now_ns() - start) * 1e-6;
    for (size_t i = 0; i < n; i++)
        if (cells[i] != (int)i + 1) {
            CHECK(cells[i] == (int)i + 1);
            break;
        }
    OK(cudaFree(cells));
    return ms;
}

/* Within an eighth of what the H200 took. */
static void compare(const char *name, double ms, double h200_least_ms, double h200_most_ms)
{
    checks_made++;
    if (ms < h200_least_ms * 7 / 8 || ms > h200_most_ms * 9 / 8) {
        checks_failed++;
        printf("%s: modelled %.3f ms, on an H200 %.2f to %.2f\n", name, ms, h200_least_ms,
            h200_most_ms);
    }
}

int main(void)
{
    *(void **)&now_ns = dlsym(RTLD_DEFAULT, "vgpu_now_ns");
    CHECK(now_ns != NULL);
    if (checks_failed != 0)
        return check_result("managed_times");
    compare("one prefetch", time_ms(one_prefetch, 4 * MIB, false), 1.45, 1.62);
    compare("32 pieces", time_ms(prefetch_in_pieces, 4 * MIB, false), 4.43, 4.43);
    compare("half a prefetch", time_ms(half_a_prefetch, 4 * MIB, false), 5.99, 5.99);
    compare("faults", time_ms(increment, 4 * MIB, false), 7.7, 11.5);
    compare("a page a lane", time_ms(page_a_lane, 4 * MIB, false), 4.83, 4.83);
    compare("256 MiB, one prefetch", time_ms(one_prefetch, 16 * MIB, false), 5.6, 5.9);
    compare("256 MiB, faults", time_ms(increment, 16 * MIB, false), 48, 53);
    compare("256 MiB, home", time_ms(prefetch_home, 16 * MIB, true), 26, 27);
    return check_result("managed_times");
}
