/* One piece of work for a device: what a stream's queue and a graph's nodes hold. */
#ifndef VIRTUAL_GPU_RT_WORK_H
#define VIRTUAL_GPU_RT_WORK_H

#include "rt.h"

enum rt_work_kind {
    WORK_NOTHING, /* an event's record, a wait, an empty node */
    WORK_KERNEL,
    WORK_COPY,
    WORK_FILL,
    WORK_HOST_FUNCTION,
    WORK_FREE,
    WORK_PREFETCH,
    WORK_KINDS,
};

struct rt_kernel_work {
    struct rt_function *function;
    dim3 grid, block;
    size_t dynamic_shared;
    bool cooperative;
    void *params; /* owned; packed by engine_pack_params */
    size_t param_bytes;
};

/* Rows of `width` bytes; a plain copy has one row and one slice. */
struct rt_copy_work {
    uintptr_t target, source;
    size_t target_pitch, source_pitch; /* bytes from row to row */
    size_t target_slice, source_slice; /* bytes from slice to slice */
    size_t width, rows, slices;
    enum clock_route route;
    enum clock_engine engine;
    void *staged; /* owned: the source as it was when the copy was submitted, or NULL */
};

struct rt_fill_work {
    uintptr_t target;
    size_t pitch, slice, width, rows, slices; /* width in bytes */
    unsigned value;
    unsigned element_bytes; /* 1, 2 or 4 */
};

struct rt_host_work {
    cudaHostFn_t function;
    cudaStreamCallback_t callback; /* the older kind, instead of `function` */
    cudaStream_t stream;           /* its first argument */
    void *data;
};

struct rt_prefetch_work {
    uintptr_t address;
    size_t bytes;
    int device; /* cudaCpuDeviceId for the host */
};

struct rt_work {
    enum rt_work_kind kind;
    union {
        struct rt_kernel_work kernel;
        struct rt_copy_work copy;
        struct rt_fill_work fill;
        struct rt_host_work host;
        struct rt_prefetch_work prefetch;
        uintptr_t address; /* WORK_FREE */
    };
};

/* What running it came to. */
struct rt_outcome {
    cudaError_t error;
    enum clock_engine engine;
    uint64_t duration_ns;
    unsigned share;   /* of the engine, in thousandths */
    uint64_t wave_ns; /* kernels with more blocks than fit at once: how long those take; else 0 */
};

/* May a kernel that runs on `device` touch this memory? */
bool rt_kernel_may_access(int device, const struct allocation *allocation);

struct rt_outcome rt_work_run(const struct rt_work *work, int device);
/* Of a prefetch that moves so many bytes. */
struct rt_outcome rt_prefetch_outcome(const struct rt_prefetch_work *prefetch, size_t moved_bytes);
/* A copy that owns what the original owns. False when memory is out. */
bool rt_work_copy(struct rt_work *to, const struct rt_work *from);
void rt_work_release(struct rt_work *work);
const char *rt_work_name(const struct rt_work *work);

#endif
