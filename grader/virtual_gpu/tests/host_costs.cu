/* What calls cost the host, and fixed latencies of the device, measured on a GPU: the figures of
 * grader/virtual_gpu/clock.c. Each line: name, tab, nanoseconds; the median of 201 samples. */
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MUST(expression)                                                    \
    do {                                                                    \
        const cudaError_t must_status = (expression);                       \
        if (must_status != cudaSuccess) {                                   \
            printf("%s: %s\n", #expression, cudaGetErrorName(must_status)); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

__global__ void empty_kernel(void)
{
}

static double now_ns(void)
{
    return (double)std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

enum { SAMPLES = 201 };

template <typename Before, typename Timed>
static void report(const char *name, int repeats, Before before, Timed timed)
{
    std::vector<double> samples;
    for (int i = 0; i < SAMPLES + 20; i++) {
        before();
        const double start = now_ns();
        for (int j = 0; j < repeats; j++)
            timed();
        const double each = (now_ns() - start) / repeats;
        if (i >= 20)
            samples.push_back(each);
    }
    std::sort(samples.begin(), samples.end());
    printf("%s\t%.0f\t(10%%: %.0f, 90%%: %.0f)\n", name, samples[SAMPLES / 2],
        samples[SAMPLES / 10], samples[SAMPLES * 9 / 10]);
}

/* Time between two events around something, by the events themselves. */
template <typename Timed>
static void report_events(const char *name, cudaStream_t stream, Timed timed)
{
    cudaEvent_t start, end;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&end));
    std::vector<double> samples;
    for (int i = 0; i < SAMPLES + 20; i++) {
        float ms = 0.0f;
        MUST(cudaDeviceSynchronize());
        MUST(cudaEventRecord(start, stream));
        timed();
        MUST(cudaEventRecord(end, stream));
        MUST(cudaEventSynchronize(end));
        MUST(cudaEventElapsedTime(&ms, start, end));
        if (i >= 20)
            samples.push_back(ms * 1e6);
    }
    std::sort(samples.begin(), samples.end());
    printf("%s\t%.0f\t(10%%: %.0f, 90%%: %.0f)\n", name, samples[SAMPLES / 2],
        samples[SAMPLES / 10], samples[SAMPLES * 9 / 10]);
}

int main(void)
{
    cudaStream_t s;
    cudaEvent_t event;
    char *d, *e, *pinned, *plain = (char *)calloc(1, 1 << 20), *managed;
    MUST(cudaStreamCreate(&s));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc((void **)&d, 1 << 20));
    MUST(cudaMalloc((void **)&e, 1 << 20));
    MUST(cudaMallocHost((void **)&pinned, 1 << 20));
    MUST(cudaMallocManaged((void **)&managed, 1 << 20));
    const auto idle = [] { MUST(cudaDeviceSynchronize()); };
    int device = 0;
    report("host: cudaGetDevice", 100, idle, [&] { cudaGetDevice(&device); });
    report("host: cudaGetLastError", 100, idle, [&] { cudaGetLastError(); });
    report("host: cudaStreamQuery, idle", 10, idle, [&] { cudaStreamQuery(s); });
    report("host: cudaEventQuery, done", 10, idle, [&] { cudaEventQuery(event); });
    report("host: cudaStreamSynchronize, idle", 10, idle, [&] { cudaStreamSynchronize(s); });
    report("host: cudaDeviceSynchronize, idle", 10, idle, [&] { cudaDeviceSynchronize(); });
    report("host: cudaEventRecord", 10, idle, [&] { cudaEventRecord(event, s); });
    report("host: cudaStreamWaitEvent", 10, idle, [&] { cudaStreamWaitEvent(s, event, 0); });
    report("host: launch, 10 in a row", 10, idle, [&] { empty_kernel<<<1, 32, 0, s>>>(); });
    report("host: launch, 1000 in a row", 1000, idle, [&] { empty_kernel<<<1, 32, 0, s>>>(); });
    report("host: launch, one", 1, idle, [&] { empty_kernel<<<1, 32, 0, s>>>(); });
    report("host: launch and synchronise", 10, idle, [&] {
        empty_kernel<<<1, 32, 0, s>>>();
        cudaStreamSynchronize(s);
    });
    report("host: launch and device synchronise", 10, idle, [&] {
        empty_kernel<<<1, 32>>>();
        cudaDeviceSynchronize();
    });
    report("host: memset async 4 B", 10, idle, [&] { cudaMemsetAsync(d, 0, 4, s); });
    report("host: memcpy async 4 B pinned to device", 10, idle,
        [&] { cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s); });
    report("host: memcpy async 4 B device to pinned", 10, idle,
        [&] { cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s); });
    report("host: memcpy async 4 B device to device", 10, idle,
        [&] { cudaMemcpyAsync(d, e, 4, cudaMemcpyDeviceToDevice, s); });
    report("host: memcpy 4 B pageable to device", 10, idle,
        [&] { cudaMemcpy(d, plain, 4, cudaMemcpyHostToDevice); });
    report("host: memcpy 4 B device to pageable", 10, idle,
        [&] { cudaMemcpy(plain, d, 4, cudaMemcpyDeviceToHost); });
    report("host: memcpy 4 B pinned to device", 10, idle,
        [&] { cudaMemcpy(d, pinned, 4, cudaMemcpyHostToDevice); });
    report("host: memcpy 4 B device to pinned", 10, idle,
        [&] { cudaMemcpy(pinned, d, 4, cudaMemcpyDeviceToHost); });
    report("host: memset 4 B", 10, idle, [&] { cudaMemset(d, 0, 4); });
    report("host: host function and synchronise", 10, idle, [&] {
        cudaLaunchHostFunc(
            s, [](void *) {}, NULL);
        cudaStreamSynchronize(s);
    });
    report("host: malloc and free, 1 MiB", 1, idle, [&] {
        char *p;
        cudaMalloc((void **)&p, 1 << 20);
        cudaFree(p);
    });
    report("host: malloc and free, 64 MiB", 1, idle, [&] {
        char *p;
        cudaMalloc((void **)&p, 64 << 20);
        cudaFree(p);
    });
    /* The idle before each sample has given the pool's free memory back to the device; twice in a row
     * the second takes what the first has freed. */
    const auto from_the_pool = [&](size_t bytes) {
        char *p;
        MUST(cudaMallocAsync((void **)&p, bytes, s));
        MUST(cudaFreeAsync(p, s));
    };
    const auto and_synchronise = [&](size_t bytes) {
        from_the_pool(bytes);
        MUST(cudaStreamSynchronize(s));
    };
    cudaMemPool_t pool;
    const char *const kept[] = {"", ", in a pool that keeps it"};
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    for (const char *how : kept) {
        char name[128];
        unsigned long long threshold = *how ? ULLONG_MAX : 0;
        MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
        for (size_t bytes : {(size_t)4, (size_t)1 << 20, (size_t)64 << 20}) {
            snprintf(name, sizeof name, "host: mallocAsync and freeAsync, %zu B%s", bytes, how);
            report(name, 1, idle, [&] { from_the_pool(bytes); });
            snprintf(name, sizeof name, "host: the same twice, each, %zu B%s", bytes, how);
            report(name, 2, idle, [&] { from_the_pool(bytes); });
            snprintf(name, sizeof name, "host: the same and synchronise, %zu B%s", bytes, how);
            report(name, 1, idle, [&] { and_synchronise(bytes); });
        }
    }
    report("host: mallocHost and freeHost, 1 MiB", 1, idle, [&] {
        char *p;
        cudaMallocHost((void **)&p, 1 << 20);
        cudaFreeHost(p);
    });
    report("host: stream create and destroy", 1, idle, [&] {
        cudaStream_t t;
        cudaStreamCreate(&t);
        cudaStreamDestroy(t);
    });
    report("host: event create and destroy", 1, idle, [&] {
        cudaEvent_t t;
        cudaEventCreate(&t);
        cudaEventDestroy(t);
    });
    report("host: prefetch 64 KiB to device and back, waiting", 1, idle, [&] {
#if CUDART_VERSION >= 13000
        cudaMemPrefetchAsync(managed, 65536, {cudaMemLocationTypeDevice, 0}, 0, s);
        cudaMemPrefetchAsync(managed, 65536, {cudaMemLocationTypeHost, 0}, 0, s);
#else
        cudaMemPrefetchAsync(managed, 65536, 0, s);
        cudaMemPrefetchAsync(managed, 65536, cudaCpuDeviceId, s);
#endif
        cudaStreamSynchronize(s);
    });
    report_events("events: nothing between", s, [] {});
    report_events("events: empty kernel", s, [&] { empty_kernel<<<1, 32, 0, s>>>(); });
    report_events("events: 2 empty kernels", s, [&] {
        for (int i = 0; i < 2; i++)
            empty_kernel<<<1, 32, 0, s>>>();
    });
    report_events("events: 100 empty kernels", s, [&] {
        for (int i = 0; i < 100; i++)
            empty_kernel<<<1, 32, 0, s>>>();
    });
    report_events("events: 4 B pinned to device", s,
        [&] { cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s); });
    report_events("events: 4 B device to pinned", s,
        [&] { cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s); });
    report_events("events: 4 B device to device", s,
        [&] { cudaMemcpyAsync(d, e, 4, cudaMemcpyDeviceToDevice, s); });
    report_events("events: memset 4 B", s, [&] { cudaMemsetAsync(d, 0, 4, s); });
    report_events("events: 1 MiB pinned to device", s,
        [&] { cudaMemcpyAsync(d, pinned, 1 << 20, cudaMemcpyHostToDevice, s); });
    report_events("events: host function", s, [&] {
        cudaLaunchHostFunc(
            s, [](void *) {}, NULL);
    });
    for (int nodes : {1, 2, 100, 1000}) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        char name[64];
        MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        for (int i = 0; i < nodes; i++)
            empty_kernel<<<1, 32, 0, s>>>();
        MUST(cudaStreamEndCapture(s, &graph));
        MUST(cudaGraphInstantiateWithFlags(&exec, graph, 0));
        snprintf(name, sizeof name, "events: graph of %d empty kernels", nodes);
        report_events(name, s, [&] { cudaGraphLaunch(exec, s); });
        snprintf(name, sizeof name, "host: launch of a graph of %d kernels", nodes);
        report(name, 1, idle, [&] { cudaGraphLaunch(exec, s); });
        snprintf(name, sizeof name, "host: graph of %d kernels and synchronise", nodes);
        report(name, 1, idle, [&] {
            cudaGraphLaunch(exec, s);
            cudaStreamSynchronize(s);
        });
        MUST(cudaDeviceSynchronize());
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    }
    return 0;
}
