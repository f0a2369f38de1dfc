/* Sizes that no memory could have are refused, also those that fit into no number; the error is the one
 * that an H200 gives, but for cudaMalloc3D, which wraps there and succeeds. */
#include "check.h"

#include <stdint.h>

static void refuse(size_t width, size_t height)
{
    void *pointer = NULL;
    size_t pitch;

    CHECK_CALL(cudaMallocPitch(&pointer, &pitch, width, height), cudaErrorInvalidValue);
}

static void refuse_3d(size_t width, size_t height, size_t depth)
{
    cudaPitchedPtr made = {NULL, 0, 0, 0};

    CHECK_CALL(cudaMalloc3D(&made, make_cudaExtent(width, height, depth)), cudaErrorInvalidValue);
}

/* The rows of a slice must lie in it. */
static void refuse_short_slices(void)
{
    void *memory = NULL;
    cudaMemcpy3DParms copy = {};

    CHECK_CALL(cudaMalloc(&memory, 4096), cudaSuccess);
    copy.srcPtr = make_cudaPitchedPtr(memory, 16, 16, 2);
    copy.dstPtr = make_cudaPitchedPtr((char *)memory + 2048, 16, 16, 4);
    copy.extent = make_cudaExtent(16, 4, 4);
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK_CALL(cudaMemcpy3D(&copy), cudaErrorInvalidPitchValue);
    CHECK_CALL(cudaFree(memory), cudaSuccess);
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
    refuse_short_slices();
    return check_result("allocation");
}
