/* What the virtual GPU tells a grader beyond the CUDA runtime (virtual_gpu/vgpu.h). */
#ifndef GRADER_VIRTUAL_CALLS_H
#define GRADER_VIRTUAL_CALLS_H

#include "virtual_gpu/vgpu.h"

/* Each is NULL on a real GPU. */
struct virtual_calls {
    typeof(&vgpu_now_ns) now_ns;
    typeof(&vgpu_times_kernels) times_kernels;
    typeof(&vgpu_time_unknown) time_unknown;
    typeof(&vgpu_look_for_races) look_for_races;
    typeof(&vgpu_set_order) set_order;
    typeof(&vgpu_findings) findings;
    typeof(&vgpu_counters) counters;
    typeof(&vgpu_count_lines) count_lines;
    typeof(&vgpu_lines) lines;
    typeof(&vgpu_launches) launches;
    typeof(&vgpu_clear) clear;
    typeof(&vgpu_written_by) written_by;
    typeof(&vgpu_name) name;
};

/* Looked up on first use, which must come before the candidate is opened: a candidate could define
 * functions of these names. */
const struct virtual_calls *virtual_calls(void);

/* All that the virtual GPU has counted since the program began, or since it was told to clear;
 * zeros on a real GPU. */
struct vgpu_counters virtual_counters(void);

#endif
