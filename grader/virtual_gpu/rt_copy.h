/* From the arguments of a copy or fill to the work that a queue or a graph holds. */
#ifndef VIRTUAL_GPU_RT_COPY_H
#define VIRTUAL_GPU_RT_COPY_H

#include "rt.h"
#include "rt_work.h"

/* Checks pointers, sizes and direction of the region in `copy` (target … slices filled in) and
 * chooses the route. A copy of nothing is legal and leaves a work that does nothing. */
cudaError_t rt_make_copy_work(
    struct rt_work *work, const struct rt_copy_work *region, enum cudaMemcpyKind kind);
cudaError_t rt_make_fill_work(struct rt_work *work, const struct rt_fill_work *fill, int device);

/* One end of a copy. */
struct rt_end {
    const char *what;
    uintptr_t address;
    size_t span; /* bytes from the first to one past the last */
    const struct allocation *allocation;
};

/* Device memory must hold the whole range. A pointer into freed or foreign device addresses is
 * never legal; one that the direction calls a device pointer must be memory that the device can
 * reach. What the direction calls a host pointer may be anything. */
cudaError_t rt_check_end(const struct rt_end *end, bool called_device);

/* Memory of the device, or managed: not the host's. */
bool rt_is_device_memory(const struct allocation *allocation);

/* A plain copy of `bytes` bytes. */
struct rt_copy_work rt_plain_copy(void *target, const void *source, size_t bytes);
cudaError_t rt_region_of_3d(
    const struct cudaMemcpy3DParms *parameters, struct rt_copy_work *region);

/* Queues the work; `wait` makes the host wait where the blocking function does. */
cudaError_t rt_submit_copy(struct rt_stream *stream, struct rt_work *work, bool wait);

#endif
