/* From the arguments of a launch to the work that a queue or a graph holds. */
#ifndef VIRTUAL_GPU_RT_LAUNCH_H
#define VIRTUAL_GPU_RT_LAUNCH_H

#include "rt.h"
#include "rt_work.h"

struct rt_launch {
    const void *function; /* host stub or handle */
    dim3 grid, block;
    void **args;
    size_t shared;
    bool cooperative;
};

/* Checks the limits and packs the arguments. On an error the work owns nothing. */
cudaError_t rt_make_kernel_work(struct rt_work *work, const struct rt_launch *launch, int device);

#endif
