/* Error names and sentences, and the last error of a thread. */
#include "rt.h"

#include <string.h>

/* Made at build time from the installed libcudart by tools/error_table.c; the last row describes
 * every code that has no row of its own. */
static const struct error_row {
    int code;
    const char *name;
    const char *sentence;
} error_rows[] = {
#include "error_table.inc"
};

enum { ERROR_ROWS = sizeof error_rows / sizeof error_rows[0] };

static const struct error_row *find_row(int code)
{
    size_t row = 0;
    while (row < ERROR_ROWS - 1 && error_rows[row].code != code)
        row++;
    return &error_rows[row];
}

const char *rt_error_name(cudaError_t error)
{
    return find_row((int)error)->name;
}

int rt_error_by_name(const char *name)
{
    for (size_t row = 0; row < ERROR_ROWS - 1; row++)
        if (strcmp(error_rows[row].name, name) == 0)
            return error_rows[row].code;
    return -1;
}

VGPU_EXPORT const char *cudaGetErrorName(cudaError_t error)
{
    return find_row((int)error)->name;
}

VGPU_EXPORT const char *cudaGetErrorString(cudaError_t error)
{
    return find_row((int)error)->sentence;
}

VGPU_EXPORT cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = rt_thread.last_error;
    rt_thread.last_error = cudaSuccess;
    return error;
}

VGPU_EXPORT cudaError_t cudaPeekAtLastError(void)
{
    return rt_thread.last_error;
}
