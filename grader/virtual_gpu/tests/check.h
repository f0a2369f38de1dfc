/* Checks for the small programs that are run under the virtual GPU: they print what failed, go on,
 * and check_result() is the exit status. */
#ifndef VIRTUAL_GPU_TESTS_CHECK_H
#define VIRTUAL_GPU_TESTS_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>

static int checks_made, checks_failed;

#define CHECK(condition)                                                   \
    do {                                                                   \
        checks_made++;                                                     \
        if (!(condition)) {                                                \
            checks_failed++;                                               \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                  \
    } while (0)

#define CHECK_CALL(expression, expected)                                         \
    do {                                                                         \
        const cudaError_t check_status = (expression);                           \
        checks_made++;                                                           \
        if (check_status != (expected)) {                                        \
            checks_failed++;                                                     \
            printf("%s:%d: %s is %s, not %s\n", __FILE__, __LINE__, #expression, \
                cudaGetErrorName(check_status), #expected);                      \
        }                                                                        \
    } while (0)

#define OK(expression) CHECK_CALL(expression, cudaSuccess)

static inline int check_result(const char *name)
{
    printf("%s: %d checks, %d failed\n", name, checks_made, checks_failed);
    return checks_failed != 0 || checks_made == 0;
}

#endif
