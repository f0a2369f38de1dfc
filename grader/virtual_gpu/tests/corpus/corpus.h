/* What the correct programs of the corpus share: cases by name, checks, arrays on the device.
 *
 *   program            lists its cases, one a line
 *   program NAME…      runs them: 0 when every check held; prints "digest NAME <hex>"
 *
 * A case gives digest() every result that may not depend on the order of blocks and warps.
 */
#ifndef VIRTUAL_GPU_CORPUS_H
#define VIRTUAL_GPU_CORPUS_H

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static int checks_failed;
static uint64_t digest_so_far;

static inline void check_that(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    checks_failed++;
    printf("%s:%d: %s\n", file, line, what);
}

#define EXPECT(condition) check_that((condition), #condition, __FILE__, __LINE__)

#define OK(expression)                                                         \
    do {                                                                       \
        const cudaError_t ok_status = (expression);                            \
        if (ok_status != cudaSuccess)                                          \
            printf("%s is %s\n", #expression, cudaGetErrorName(ok_status));    \
        check_that(ok_status == cudaSuccess, #expression, __FILE__, __LINE__); \
    } while (0)

/* After a launch: it was accepted, and it ends well. */
#define FINISH()                     \
    do {                             \
        OK(cudaGetLastError());      \
        OK(cudaDeviceSynchronize()); \
    } while (0)

/* The first index at which two arrays differ, or n. */
template <class T> static size_t first_difference(const T *got, const T *want, size_t n)
{
    size_t i = 0;
    while (i < n && memcmp(&got[i], &want[i], sizeof(T)) == 0)
        i++;
    return i;
}

#define EXPECT_SAME(got, want, n)                                                         \
    do {                                                                                  \
        const size_t same_up_to = first_difference(got, want, n);                         \
        if (same_up_to < (size_t)(n))                                                     \
            printf("element %zu differs\n", same_up_to);                                  \
        check_that(same_up_to == (size_t)(n), #got " equals " #want, __FILE__, __LINE__); \
    } while (0)

/* FNV-1a */
static inline void digest(const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < count; i++)
        digest_so_far = (digest_so_far ^ at[i]) * 0x100000001B3u;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* n elements on the device that nothing has written yet. */
template <class T> static T *device_array(size_t n)
{
    void *memory = NULL;
    OK(cudaMalloc(&memory, n * sizeof(T)));
    return (T *)memory;
}

template <class T> static T *device_zeros(size_t n)
{
    T *array = device_array<T>(n);
    OK(cudaMemset(array, 0, n * sizeof(T)));
    return array;
}

template <class T> static T *device_copy(const T *host, size_t n)
{
    T *array = device_array<T>(n);
    OK(cudaMemcpy(array, host, n * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

/* Copies n elements to the host. */
template <class T> static void fetch(T *host, const T *device, size_t n)
{
    OK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
}

/* Copies n elements to the host and frees the array. */
template <class T> static void take(T *host, T *device, size_t n)
{
    fetch(host, device, n);
    OK(cudaFree(device));
}

/* Position-dependent values that look random. */
static __host__ __device__ inline uint32_t scrambled(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

/* ---- cases ----------------------------------------------------------------------------------- */

struct corpus_case {
    const char *name;
    void (*run)(void);
};

#define CASE(function)      \
    {                       \
#function, function \
    }

static inline int run_case(const struct corpus_case *cases, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(cases[i].name, name) != 0)
            continue;
        digest_so_far = 0xCBF29CE484222325u;
        cases[i].run();
        printf("digest %s %016llx\n", name, (unsigned long long)digest_so_far);
        return checks_failed != 0;
    }
    printf("there is no case %s\n", name);
    return 2;
}

static inline int corpus_main(int argc, char **argv, const struct corpus_case *cases, size_t count)
{
    int status = 0;
    for (size_t i = 0; argc < 2 && i < count; i++)
        printf("%s\n", cases[i].name);
    for (int i = 1; i < argc; i++)
        status |= run_case(cases, count, argv[i]);
    return status;
}

#define CORPUS_MAIN(...)                                                       \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        const struct corpus_case cases[] = {__VA_ARGS__};                      \
        return corpus_main(argc, argv, cases, sizeof cases / sizeof cases[0]); \
    }

#endif
