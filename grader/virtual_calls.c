/* Finding the functions of the virtual GPU, once. */
#define _GNU_SOURCE
#include "virtual_calls.h"

#include <dlfcn.h>
#include <stdbool.h>

const struct virtual_calls *virtual_calls(void)
{
    static struct virtual_calls calls;
    static bool looked_up;

    if (!looked_up) {
        *(void **)&calls.now_ns = dlsym(RTLD_DEFAULT, "vgpu_now_ns");
        *(void **)&calls.times_kernels = dlsym(RTLD_DEFAULT, "vgpu_times_kernels");
        *(void **)&calls.time_unknown = dlsym(RTLD_DEFAULT, "vgpu_time_unknown");
        *(void **)&calls.look_for_races = dlsym(RTLD_DEFAULT, "vgpu_look_for_races");
        *(void **)&calls.set_order = dlsym(RTLD_DEFAULT, "vgpu_set_order");
        *(void **)&calls.findings = dlsym(RTLD_DEFAULT, "vgpu_findings");
        *(void **)&calls.counters = dlsym(RTLD_DEFAULT, "vgpu_counters");
        *(void **)&calls.count_lines = dlsym(RTLD_DEFAULT, "vgpu_count_lines");
        *(void **)&calls.lines = dlsym(RTLD_DEFAULT, "vgpu_lines");
        *(void **)&calls.launches = dlsym(RTLD_DEFAULT, "vgpu_launches");
        *(void **)&calls.clear = dlsym(RTLD_DEFAULT, "vgpu_clear");
        *(void **)&calls.written_by = dlsym(RTLD_DEFAULT, "vgpu_written_by");
        *(void **)&calls.name = dlsym(RTLD_DEFAULT, "vgpu_name");
        looked_up = true;
    }
    return &calls;
}

struct vgpu_counters virtual_counters(void)
{
    struct vgpu_counters counters = {.launches = 0};

    if (virtual_calls()->counters)
        virtual_calls()->counters(&counters);
    return counters;
}
