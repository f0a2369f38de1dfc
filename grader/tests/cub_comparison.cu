// The references of homework 4 against CUB, NVIDIA's own library: time of CUB / time of ours.
//
//   nvcc -std=c++17 -O3 -arch=native -I. -Igrader/include -o cub_comparison cub_comparison.cu
//
// CUDA events, the L2 cache flushed before every sample, 21 alternating pairs, the median of their
// ratios. Ends with 1 if a reference is slower than it has to be. Students are not shown this file.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <functional>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "hw4_reduction/reduction.h"
#include "hw4_reduction/reduction_solution.cu"

constexpr int PAIRS = 21;

#define MUST(call)                                                      \
    do {                                                                \
        cudaError_t must_status = (call);                               \
        if (must_status != cudaSuccess) {                               \
            printf("%s: %s\n", #call, cudaGetErrorString(must_status)); \
            exit(2);                                                    \
        }                                                               \
    } while (0)

static void *device_memory(size_t bytes)
{
    void *memory = nullptr;
    MUST(cudaMalloc(&memory, bytes));
    return memory;
}

struct is_positive {
    __host__ __device__ bool operator()(int value) const
    {
        return value > 0;
    }
};

static __global__ void fill_kernel(int *ints, float *floats, size_t n)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;
        int value = (int)(x >> 40) % 9 - 4;
        if (ints)
            ints[i] = value;
        if (floats)
            floats[i] = (float)value;
    }
}

class stopwatch
{
    cudaEvent_t start, stop;
    void *scrub;
    size_t scrub_bytes;

  public:
    stopwatch()
    {
        int l2 = 0;
        MUST(cudaEventCreate(&start));
        MUST(cudaEventCreate(&stop));
        MUST(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        scrub_bytes = 4 * (size_t)l2;
        scrub = device_memory(scrub_bytes);
    }

    float us(const std::function<void()> &work)
    {
        float ms = 0;
        MUST(cudaMemset(scrub, 1, scrub_bytes));
        MUST(cudaDeviceSynchronize());
        MUST(cudaEventRecord(start));
        work();
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop));
        MUST(cudaEventElapsedTime(&ms, start, stop));
        return 1000 * ms;
    }
};

static float median(std::vector<float> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

static bool compare(stopwatch &watch, const char *what, const std::function<void()> &ours,
    const std::function<void()> &cub, float needed)
{
    std::vector<float> ours_us, cub_us, ratios;

    for (int i = 0; i < 3; i++) { // warm up
        watch.us(ours);
        watch.us(cub);
    }
    for (int i = 0; i < PAIRS; i++) {
        float first = watch.us(i % 2 ? cub : ours), second = watch.us(i % 2 ? ours : cub);
        ours_us.push_back(i % 2 ? second : first);
        cub_us.push_back(i % 2 ? first : second);
        ratios.push_back(cub_us.back() / ours_us.back());
    }
    float ratio = median(ratios);
    printf("%-28s ours %9.2f us   cub %9.2f us   %.3f x (needs %.2f)\n", what, median(ours_us),
        median(cub_us), ratio, needed);
    return ratio >= needed;
}

static bool compare_sums(stopwatch &watch, size_t n, float needed)
{
    float *in = (float *)device_memory(n * sizeof(float)), *out = (float *)device_memory(8);
    size_t bytes = 0;
    char what[64];

    fill_kernel<<<1024, 256>>>(nullptr, in, n);
    MUST(cub::DeviceReduce::Sum(nullptr, bytes, in, out, (int)n));
    void *temporary = device_memory(bytes);
    snprintf(what, sizeof what, "sum_shuffle, %zu floats", n);
    bool fast = compare(
        watch, what, [&] { MUST(sum_shuffle(in, out, n, 256, 0)); },
        [&] { MUST(cub::DeviceReduce::Sum(temporary, bytes, in, out, (int)n)); }, needed);
    MUST(cudaFree(in));
    MUST(cudaFree(out));
    MUST(cudaFree(temporary));
    return fast;
}

static bool compare_compactions(stopwatch &watch, size_t n, float needed)
{
    int *in = (int *)device_memory(n * sizeof(int)), *out = (int *)device_memory(n * sizeof(int));
    unsigned *count = (unsigned *)device_memory(8);
    size_t bytes = 0;
    char what[64];

    fill_kernel<<<1024, 256>>>(in, nullptr, n);
    MUST(cub::DeviceSelect::If(nullptr, bytes, in, out, count, (int)n, is_positive()));
    void *temporary = device_memory(bytes);
    snprintf(what, sizeof what, "compact_positive, %zu ints", n);
    bool fast = compare(
        watch, what, [&] { MUST(compact_positive(in, out, count, n, 0)); },
        [&] {
            MUST(cub::DeviceSelect::If(temporary, bytes, in, out, count, (int)n, is_positive()));
        },
        needed);
    MUST(cudaFree(in));
    MUST(cudaFree(out));
    MUST(cudaFree(count));
    MUST(cudaFree(temporary));
    return fast;
}

int main()
{
    stopwatch watch;
    bool fast = compare_sums(watch, (size_t)1 << 28, 0.98f);
    fast = compare_sums(watch, (size_t)1 << 22, 1.10f) && fast;
    fast = compare_compactions(watch, (size_t)1 << 25, 1.00f) && fast;
    return fast ? 0 : 1;
}
