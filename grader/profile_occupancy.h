/* How many blocks of a kernel fit on an SM, and what keeps more from it. */
#ifndef GRADER_PROFILE_OCCUPANCY_H
#define GRADER_PROFILE_OCCUPANCY_H

#include "virtual_gpu/vgpu.h"

struct occupancy {
    unsigned blocks, warps, warps_most; /* of an SM */
    const char *limiter;                /* "its threads": completes "an SM is full with" */
};

/* Of a launch on the virtual GPU, which knows how many blocks fit. */
struct occupancy occupancy_of(const struct vgpu_launch *launch);

#endif
