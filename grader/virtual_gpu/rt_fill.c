/* Fills: cudaMemset and its family. */
#include "rt_copy.h"

#include "rt_memory.h"
#include "rt_queue.h"

cudaError_t rt_make_fill_work(struct rt_work *work, const struct rt_fill_work *fill, int device)
{
    *work = (struct rt_work){.kind = WORK_NOTHING};
    if (fill->width == 0 || fill->rows == 0 || fill->slices == 0)
        return cudaSuccess;
    if (fill->rows > 1 && fill->pitch < fill->width)
        return cudaErrorInvalidValue;
    const struct rt_end target = {"target", fill->target,
        (fill->slices - 1) * fill->slice + (fill->rows - 1) * fill->pitch + fill->width,
        memory_find(fill->target)};
    const cudaError_t status = rt_check_end(&target, true);
    if (status != cudaSuccess)
        return status;
    if (!rt_device_reaches(device, target.allocation)) {
        rt_finding("fill", SEVERITY_ERROR, "%s: the memory belongs to device %d, the stream to %d",
            rt_thread.call->name, target.allocation->device, device);
        return cudaErrorInvalidValue;
    }
    work->kind = WORK_FILL;
    work->fill = *fill;
    return cudaSuccess;
}

static cudaError_t fill(const struct rt_fill_work *region, cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    struct rt_work work;
    const cudaError_t status = rt_make_fill_work(&work, region, stream->device);
    if (status != cudaSuccess)
        return status;
    clock_spend(COST_FILL);
    return rt_submit(stream, &work, NULL);
}

static cudaError_t fill_3d(struct cudaPitchedPtr target, size_t slice, int value, size_t width,
    size_t rows, size_t slices, cudaStream_t stream)
{
    return fill(&(struct rt_fill_work){.target = (uintptr_t)target.ptr,
                    .pitch = target.pitch,
                    .slice = slice,
                    .width = width,
                    .rows = rows,
                    .slices = slices,
                    .value = (unsigned)value,
                    .element_bytes = 1},
        stream);
}

static cudaError_t fill_2d(
    void *target, size_t pitch, int value, size_t width, size_t rows, cudaStream_t stream)
{
    return fill_3d(
        (struct cudaPitchedPtr){.ptr = target, .pitch = pitch}, 0, value, width, rows, 1, stream);
}

static cudaError_t fill_volume(
    struct cudaPitchedPtr target, int value, struct cudaExtent extent, cudaStream_t stream)
{
    return fill_3d(target, target.pitch * target.ysize, value, extent.width, extent.height,
        extent.depth, stream);
}

/* The host does not wait, except for host memory. */
static cudaError_t fill_1d(void *target, int value, size_t bytes, cudaStream_t stream, bool wait)
{
    const cudaError_t status = fill_2d(target, bytes, value, bytes, 1, stream);
    const struct allocation *found = memory_find((uintptr_t)target);
    if (status != cudaSuccess || !wait || found == NULL || rt_is_device_memory(found))
        return status;
    return rt_finish_stream(rt_find_stream(stream));
}

API_DEFAULT_STREAM(cudaMemset, (void *target, int value, size_t bytes), CALL_NEEDS_DEVICE,
    fill_1d(target, value, bytes, NULL, true))
API_STREAM(cudaMemsetAsync, (void *target, int value, size_t bytes, cudaStream_t stream),
    CALL_NEEDS_DEVICE, fill_1d(target, value, bytes, stream, false))
API_DEFAULT_STREAM(cudaMemset2D,
    (void *target, size_t pitch, int value, size_t width, size_t height), CALL_NEEDS_DEVICE,
    fill_2d(target, pitch, value, width, height, NULL))
API_STREAM(cudaMemset2DAsync,
    (void *target, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
    CALL_NEEDS_DEVICE, fill_2d(target, pitch, value, width, height, stream))
API_DEFAULT_STREAM(cudaMemset3D,
    (struct cudaPitchedPtr target, int value, struct cudaExtent extent), CALL_NEEDS_DEVICE,
    fill_volume(target, value, extent, NULL))
API_STREAM(cudaMemset3DAsync,
    (struct cudaPitchedPtr target, int value, struct cudaExtent extent, cudaStream_t stream),
    CALL_NEEDS_DEVICE, fill_volume(target, value, extent, stream))
