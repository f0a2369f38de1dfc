/* Which kernel shape is the limit here: decided once a run, in a sweep of some milliseconds. */
#include "device_limits.h"

#include <float.h>
#include <stdint.h>

#include "device.h"
#include "device_load.h"
#include "device_work.h"

enum { CONTENTS_SEED = 1 };

static cudaError_t (*const kernels[LIMIT_LESSON])(size_t, void *, size_t) = {
    [LIMIT_COPY] = device_limit_copy,
    [LIMIT_ADD] = device_limit_add,
    [LIMIT_READ] = device_limit_read,
};

bool limit_is_bandwidth(enum limit_kind kind)
{
    return kind < LIMIT_LESSON;
}

cudaError_t limit_run(const struct limit *limit)
{
    if (limit->kind == LIMIT_TO_DEVICE)
        return cudaMemcpyAsync(
            limit->memory, limit->pinned, limit->bytes, cudaMemcpyHostToDevice, 0);
    return kernels[limit->kind](limit->shape, limit->memory, limit->bytes);
}

/* The same contents on the other side of the link. */
static cudaError_t open_link(struct limit *limit)
{
    cudaError_t status = cudaMallocHost(&limit->pinned, limit->bytes);

    if (status == cudaSuccess)
        status = cudaMemcpy(limit->pinned, limit->memory, limit->bytes, cudaMemcpyDeviceToHost);
    return status;
}

cudaError_t limit_open(struct limit *limit, enum limit_kind kind, size_t shape, size_t bytes)
{
    *limit = (struct limit){.kind = kind, .shape = shape, .bytes = bytes};
    cudaError_t status = cudaMalloc(&limit->memory, bytes);
    /* Numbers that look like data: constant bits cost memory less power than real ones. */
    if (status == cudaSuccess)
        status = device_fill_ints(
            limit->memory, bytes / sizeof(uint32_t), INT32_MIN, INT32_MAX, CONTENTS_SEED);
    if (status == cudaSuccess && kind == LIMIT_TO_DEVICE)
        status = open_link(limit);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
        limit_close(limit);
    return status;
}

void limit_close(struct limit *limit)
{
    cudaFree(limit->memory);
    cudaFreeHost(limit->pinned);
    limit->memory = limit->pinned = NULL;
}

/* The shortest of a few runs; the first of a shape also loads its kernel. Each finds a cold cache,
 * as the samples will: what the run before left in it favours one shape or another by chance. */
static cudaError_t shortest_ns(const struct limit *limit, int calls, double *shortest)
{
    cudaError_t status = cudaSuccess;

    *shortest = DBL_MAX;
    for (int call = 0; call < calls && status == cudaSuccess; call++) {
        if (calls > 1)
            status = device_flush_l2();
        if (status == cudaSuccess)
            status = cudaDeviceSynchronize();
        uint64_t start = device_now_ns();
        if (status == cudaSuccess)
            status = limit_run(limit);
        if (status == cudaSuccess)
            status = cudaDeviceSynchronize();
        double ns = (double)(device_now_ns() - start);
        if (ns < *shortest)
            *shortest = ns;
    }
    return status;
}

/* A copy between host and device leaves nothing to choose. */
static size_t shapes_of(enum limit_kind kind)
{
    return kind == LIMIT_TO_DEVICE ? 1 : device_limit_shapes();
}

cudaError_t limit_find(
    enum limit_kind kind, size_t sweep_bytes, int calls, size_t *shape, double *gb_s)
{
    static struct {
        size_t shape;
        double gb_s;
    } found[LIMIT_LESSON];
    struct limit limit;

    if (!limit_is_bandwidth(kind))
        return cudaErrorInvalidValue;
    if (found[kind].gb_s == 0.0) {
        cudaError_t status = limit_open(&limit, kind, 0, sweep_bytes);
        if (status != cudaSuccess)
            return status;
        double best_ns = DBL_MAX;
        for (; limit.shape < shapes_of(kind) && status == cudaSuccess; limit.shape++) {
            double ns;
            status = shortest_ns(&limit, calls, &ns);
            if (status == cudaSuccess && ns < best_ns) {
                best_ns = ns;
                found[kind].shape = limit.shape;
            }
        }
        limit_close(&limit);
        if (status != cudaSuccess)
            return status;
        found[kind].gb_s = (double)sweep_bytes / best_ns;
    }
    *shape = found[kind].shape;
    *gb_s = found[kind].gb_s;
    return cudaSuccess;
}

const char *limit_name(enum limit_kind kind)
{
    static const char *const names[LIMIT_KINDS] = {
        [LIMIT_COPY] = "copy bandwidth",
        [LIMIT_ADD] = "bandwidth for an addition",
        [LIMIT_READ] = "read bandwidth",
        [LIMIT_TO_DEVICE] = "pinned copy to the device",
        [LIMIT_LESSON] = "lesson's limit",
        [LIMIT_BASELINE] = "baseline's speed",
    };
    return names[kind];
}
