/* Requests that no memory could hold are refused, also where their size fits into no number. */
#include "check.h"

#include <stdint.h>

static void refuse(size_t width, size_t height)
{
    void *pointer = NULL;
    size_t pitch;

    CHECK_CALL(cudaMallocPitch(&pointer, &pitch, width, height), cudaErrorMemoryAllocation);
}

static void refuse_3d(size_t width, size_t height, size_t depth)
{
    cudaPitchedPtr made = {NULL, 0, 0, 0};

    CHECK_CALL(
        cudaMalloc3D(&made, make_cudaExtent(width, height, depth)), cudaErrorMemoryAllocation);
}

int main(void)
{
    void *pointer = NULL;

    CHECK_CALL(cudaMalloc(&pointer, SIZE_MAX), cudaErrorMemoryAllocation);
    CHECK_CALL(cudaMallocManaged(&pointer, SIZE_MAX - 1), cudaErrorMemoryAllocation);
    CHECK_CALL(cudaMallocHost(&pointer, SIZE_MAX - 1), cudaErrorMemoryAllocation);
    refuse((size_t)-4, 1); /* a count that went below zero */
    refuse(SIZE_MAX, SIZE_MAX);
    refuse((size_t)1 << 32, (size_t)1 << 32);
    refuse_3d(4, (size_t)1 << 32, (size_t)1 << 32);
    refuse_3d((size_t)-4, 1, 1);
    return check_result("allocation");
}
