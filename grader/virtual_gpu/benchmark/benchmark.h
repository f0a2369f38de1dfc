/* What every program of the benchmark does: launches its kernel a few times, takes the CPU time of
 * each launch, and prints one line that benchmark.sh reads.
 *
 * The program must run on the virtual GPU: it asks vgpu.h how much was executed. */
#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../vgpu.h"

#ifndef BENCHMARK_LAUNCHES
#define BENCHMARK_LAUNCHES 3
#endif

/* Ends the program when a call of the runtime fails. */
static inline void must(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
    exit(1);
}

static inline double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `count` floats on the device, each value(index): small integers, so that sums are exact. */
static inline float *device_floats(size_t count, float (*value)(size_t))
{
    float *host = (float *)malloc(count * sizeof *host), *device = NULL;
    if (host == NULL)
        must(cudaErrorMemoryAllocation);
    for (size_t i = 0; i < count; i++)
        host[i] = value(i);
    must(cudaMalloc((void **)&device, count * sizeof *device));
    must(cudaMemcpy(device, host, count * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

/* A copy of device memory that the caller frees. */
static inline float *host_floats(const float *device, size_t count)
{
    float *host = (float *)malloc(count * sizeof *host);
    if (host == NULL)
        must(cudaErrorMemoryAllocation);
    must(cudaMemcpy(host, device, count * sizeof *host, cudaMemcpyDeviceToHost));
    return host;
}

/* Runs launch() BENCHMARK_LAUNCHES times and prints: thread instructions of one launch, CPU seconds
 * of the first launch (which reads the PTX and touches fresh memory), of the fastest, findings. */
static inline void benchmark(void (*launch)(void))
{
    void (*counters_of)(struct vgpu_counters *) =
        (void (*)(struct vgpu_counters *))dlsym(RTLD_DEFAULT, "vgpu_counters");
    size_t (*findings_of)(struct vgpu_finding *, size_t) =
        (size_t(*)(struct vgpu_finding *, size_t))dlsym(RTLD_DEFAULT, "vgpu_findings");
    if (counters_of == NULL || findings_of == NULL) {
        fprintf(stderr, "this is not the virtual GPU\n");
        exit(77);
    }
    double first_s = 0, fastest_s = 0;
    for (int i = 0; i < BENCHMARK_LAUNCHES; i++) {
        const double start_s = cpu_seconds();
        launch();
        must(cudaGetLastError());
        must(cudaDeviceSynchronize());
        const double passed_s = cpu_seconds() - start_s;
        if (i == 0)
            first_s = passed_s;
        if (i == 0 || passed_s < fastest_s)
            fastest_s = passed_s;
    }
    struct vgpu_counters counters;
    counters_of(&counters);
    printf("%llu %.6f %.6f %zu\n",
        (unsigned long long)counters.thread_instructions / BENCHMARK_LAUNCHES, first_s, fastest_s,
        findings_of(NULL, 0));
}

/* The program's exit code, and a word when the result is wrong. */
static inline int verdict(bool is_right)
{
    if (!is_right)
        fprintf(stderr, "the result is wrong\n");
    return is_right ? 0 : 1;
}

#endif
