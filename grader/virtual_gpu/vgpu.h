/* What the virtual GPU tells a grader beyond the CUDA runtime.
 *
 * Find these functions with dlsym(RTLD_DEFAULT, …): on a real GPU there are none. Both
 * sides must be compiled with the same version of this header. Those that change what is kept do
 * nothing when a shared object calls them that the program has opened.
 */
#ifndef VIRTUAL_GPU_VGPU_H
#define VIRTUAL_GPU_VGPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum vgpu_severity { VGPU_WARNING, VGPU_ERROR };

/* Something that a run did wrong, once for every place in the source. */
struct vgpu_finding {
    char word[32]; /* stable: "out-of-bounds", "shared-race", "leak", "launch", "needs-gpu", … */
    int severity;  /* enum vgpu_severity */
    char kernel[96]; /* as the student wrote its name; "" for what the host did */
    char file[256];  /* "" when it is not known */
    unsigned line;
    char other_file[256]; /* the other side of a race */
    unsigned other_line;
    unsigned block[3], thread[3]; /* of the first occurrence */
    uint64_t count;               /* occurrences at this place */
    char message[512];            /* one or two sentences for the student */
};

/* Sums over all launches since the last vgpu_clear. Requests and wavefronts are counted as Nsight
 * Compute does. */
struct vgpu_counters {
    uint64_t launches;
    uint64_t warp_instructions, thread_instructions;
    uint64_t global_load_requests, global_load_sectors, global_load_sectors_ideal;
    uint64_t global_store_requests, global_store_sectors, global_store_sectors_ideal;
    uint64_t global_load_bytes, global_store_bytes;
    /* The same by cp.async, whose bytes go to shared memory. */
    uint64_t global_copy_requests, global_copy_sectors, global_copy_sectors_ideal;
    uint64_t global_copy_bytes;
    uint64_t global_atomic_requests, global_atomic_lanes;
    uint64_t global_atomic_worst_address; /* operations on the address that got most in a launch */
    /* Distinct 32-byte sectors that a launch reads and writes, summed over the launches. */
    uint64_t unique_load_sectors, unique_store_sectors;
    uint64_t shared_load_requests, shared_load_wavefronts, shared_load_conflicts;
    uint64_t shared_store_requests, shared_store_wavefronts, shared_store_conflicts;
    uint64_t shared_atomic_requests, shared_atomic_lanes;
    uint64_t local_load_requests, local_store_requests;
    uint64_t constant_load_requests;
    uint64_t branches, divergent_branches;
    uint64_t barriers, warp_collectives;
    uint64_t device_page_faults; /* pages of managed memory that kernels had to fetch */
    uint64_t migrated_bytes;     /* of managed memory, both ways */
    /* By copies of whatever name, from the device to where the host reads. */
    uint64_t copied_to_host_bytes;
};

/* The virtual host clock, nanoseconds. Only runtime calls and waiting take time on it. */
uint64_t vgpu_now_ns(void);
/* Is the time of kernels modelled? Not with VGPU_CHECKS=off: then no speed may be judged here. */
int vgpu_times_kernels(void);

/* Has anything since the last vgpu_clear done what the model knows nothing of, so that no speed may
 * be judged? `why` receives what it was, a sentence without its full stop: "a kernel used memory of
 * the host"; "" when nothing has. */
int vgpu_time_unknown(char *why, size_t size);

/* Races within a launch and between streams: looked for from now on, or not. They are at the start;
 * without them a launch takes half as long to execute. Modelled times are the same. */
void vgpu_look_for_races(int on);

/* Order of blocks and warps from the next launch on: 0 forward, 1 reverse, else a shuffle. */
void vgpu_set_order(uint64_t seed);

/* Findings in the order of their first occurrence since the last vgpu_clear. Fills at most `max`
 * (findings may be NULL when it is 0) and returns how many there are. */
size_t vgpu_findings(struct vgpu_finding *findings, size_t max);

/* A finding for every allocation of the process that is still there. The caller decides which of
 * them should have been freed. Returns how many there are. */
size_t vgpu_find_leaks(void);

void vgpu_counters(struct vgpu_counters *counters);

/* The same by source line, while it is switched on: line 0 is the whole kernel. Ordered by kernel,
 * file and line. Fills at most `max` and returns how many there are. */
struct vgpu_line {
    char kernel[96];
    char file[256];
    unsigned line;
    struct vgpu_counters counters; /* without page faults */
};
void vgpu_count_lines(int on);
size_t vgpu_lines(struct vgpu_line *lines, size_t max);

/* The same by kernel and launch shape, while lines are counted, in the order of first launches. */
struct vgpu_launch {
    char kernel[96];
    unsigned grid[3], block[3];
    unsigned registers, local_bytes;                    /* a thread; 0 registers: unknown */
    unsigned static_shared_bytes, dynamic_shared_bytes; /* a block */
    unsigned resident_blocks;                           /* that fit on an SM at once */
    /* Modelled for an H200, all launches together: how long they take, and how long each part of the
     * device alone would; 0: not modelled. */
    double modelled_ns;
    struct vgpu_bounds {
        double latency, issue, pipes, l1, shared, l2, dram, atomics;
    } bounds_ns;
    struct vgpu_counters counters; /* without page faults */
};
size_t vgpu_launches(struct vgpu_launch *launches, size_t max);

/* Forgets findings, counters and what was unknown of times. */
void vgpu_clear(void);

/* Who wrote the bytes of a device, managed or pinned range: 0 nobody, 1 the device, 2 the host,
 * 3 both. The host's own stores to managed and pinned memory are not seen; copies are. */
int vgpu_written_by(const void *pointer, size_t bytes);

/* What findings call the allocation that begins there: "array `in`" instead of "allocation #3". */
void vgpu_name(const void *pointer, const char *name);

#ifdef __cplusplus
}
#endif

#endif
