/* The execution engine of the virtual GPU: loads PTX, runs kernels, reports what it saw.
 *
 * The runtime (rt_*.c) stands above: it owns streams, the clock, device properties and the
 * error state.  The engine runs one launch at a time, to the end, on the calling thread.
 *
 *   module  = engine_load_fatbin(wrapper->data, …)      once a fat binary
 *   kernel  = engine_find_kernel(module, "_Z3addPKf…")  by mangled name
 *   error   = engine_run(&launch, &result)              as often as wanted
 *
 * Nothing here is thread-safe: the runtime serialises its calls.
 */
#ifndef VIRTUAL_GPU_ENGINE_H
#define VIRTUAL_GPU_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <driver_types.h> /* cudaError_t, from the installed toolkit */

#include "memory.h"

struct engine_module;
struct engine_kernel;

/* ---- loading --------------------------------------------------------------------------------- */

/* Finds the PTX (and, for register counts, the machine code) in a fat binary and loads it.
 *   data   the `data` member of the wrapper that __cudaRegisterFatBinary receives
 *   error  receives a sentence for the student when NULL is returned: no PTX, compressed PTX
 *          ("rebuild with -no-compress"), a syntax error in the PTX with its line
 * A kernel that uses something unsupported still loads; running it fails with its name.
 * Loading allocates the module's __device__ and __constant__ variables on `device`. */
struct engine_module *engine_load_fatbin(
    const void *data, int device, char *error, size_t error_size);

/* A second copy of the module's variables for another virtual device, freshly initialised; the
 * parsed program and managed variables are shared, so `module` must be unloaded last, or together
 * with its copies.  For VGPU_DEVICES > 1; NULL when out of memory. */
struct engine_module *engine_clone_module(const struct engine_module *module, int device);

void engine_unload(struct engine_module *module);

/* Kernels by mangled name; NULL when there is none. */
struct engine_kernel *engine_find_kernel(const struct engine_module *module, const char *name);

struct engine_param {
    uint32_t offset; /* bytes from the start of the parameter block */
    uint32_t size;   /* bytes to copy from args[i] */
};

struct engine_kernel_info {
    const char *name;        /* mangled */
    const char *pretty_name; /* as the student wrote it: "reduce_kernel" */
    const char *file;        /* from -lineinfo, "" without */
    size_t param_count;
    const struct engine_param *params;
    uint32_t param_bytes; /* size of the parameter block */
    uint32_t static_shared_bytes;
    uint32_t local_bytes;       /* per thread */
    uint32_t constant_bytes;    /* of the module */
    uint32_t registers;         /* from the sm_80 machine code; 0 when there is none */
    uint32_t max_threads;       /* .maxntid product (__launch_bounds__), else 1024 */
    uint32_t min_blocks_per_sm; /* .minnctapersm, else 0 */
    uint32_t ptx_target;        /* 80 for compute_80: cudaFuncAttributes.ptxVersion must say this,
                                     or CUB refuses to launch */
    bool uses_grid_sync;        /* reads the grid-sync workspace */
};
const struct engine_kernel_info *engine_kernel_info(const struct engine_kernel *kernel);

enum engine_variable_kind { VARIABLE_GLOBAL, VARIABLE_CONSTANT, VARIABLE_MANAGED, VARIABLE_SHARED };

struct engine_variable {
    const char *name; /* mangled, as in __cudaRegisterVar */
    enum engine_variable_kind kind;
    uint64_t address; /* device address; offset for shared */
    size_t size;      /* bytes */
};
/* NULL when the module has none of that name. A managed variable's address serves both sides. */
const struct engine_variable *engine_find_variable(
    const struct engine_module *module, const char *name);

/* ---- settings and hooks ---------------------------------------------------------------------- */

/* Read by every launch; the runtime fills it once from the environment. */
struct engine_settings {
    bool check_memory; /* bounds, alignment, use after free, read-only memory */
    bool check_initialisation;
    bool check_races;
    bool count; /* sectors, wavefronts, conflicts, divergence */
    bool time;  /* how long the launch would take; needs `count` */
    /* Order of blocks and warps: 0 forward, 1 reverse, anything else seeds a shuffle. */
    uint64_t order;
};
extern struct engine_settings engine_settings; /* all checks on, order 0, at start */

/* What the engine asks of the runtime. A NULL member has the default in brackets. */
struct engine_hooks {
    /* Text printed by a kernel, in program order, never split inside one printf [stdout]. */
    void (*printf_output)(const char *text, size_t length);
    /* Virtual nanoseconds at the start of the launch, for %globaltimer [0]. %clock counts the
     * warp instructions that the launch has executed. */
    uint64_t (*now_ns)(void);
    /* May a kernel on `device` touch this allocation (peer access, attached streams)?  Asked at
     * the first touch in a launch; false makes the access illegal [same device or host memory]. */
    bool (*may_access)(int device, const struct allocation *allocation);
    /* First read or write of a 64 KiB page of managed memory by this launch, or since
     * engine_page_left(); `address` is the page's first byte. `also`: by the
     * instruction of a warp that touched the page of the call before [nothing]. */
    void (*managed_page)(uint64_t address, bool is_write, bool also);
    /* Has the host written to these bytes of managed memory while the launch was on its way? Asked
     * at atomic operations that are not the system's [no]. */
    bool (*host_wrote)(uint64_t address, uint32_t bytes);
    /* A finding has just been recorded for the first time [nothing]. */
    void (*found)(size_t index);
};
extern struct engine_hooks engine_hooks;

/* ---- launching ------------------------------------------------------------------------------- */

struct engine_launch {
    const struct engine_kernel *kernel;
    uint32_t grid[3];  /* x, y, z, each at least 1; limits are the runtime's to check */
    uint32_t block[3]; /* product at most 1024 */
    uint32_t dynamic_shared_bytes;
    const void *param_block; /* param_bytes long; see engine_pack_params */
    bool cooperative;        /* all blocks resident, grid-sync workspace present */
    int device;              /* %envreg-independent; findings and may_access use it */
    uint32_t sm_count;       /* for %nsmid and %smid = block % sm_count; 0 means 8 */
    /* Blocks that may be resident at once on the whole device (occupancy × SMs); the engine
     * admits another block only when the resident ones wait for it. 0 means 64. */
    uint32_t resident_blocks_max;
    size_t heap_bytes;           /* limit of malloc in kernels; 0 means 8 MiB */
    uint32_t shared_limit_bytes; /* for %total_smem_size only; 0 means static + dynamic */
};

/* Copies args[0 … param_count) (as cudaLaunchKernel gets them) into `block`, param_bytes long, so
 * that a queued launch does not depend on the caller's variables. */
void engine_pack_params(const struct engine_kernel *kernel, void *const *args, void *block);

/* Sums over a launch, or of one source line.  Definitions follow Nsight Compute where noted in
 * count.c; "warp" counts are warp-level instructions with at least one active lane. */
struct engine_counters {
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    uint64_t global_load_requests, global_load_sectors, global_load_sectors_ideal;
    uint64_t global_store_requests, global_store_sectors, global_store_sectors_ideal;
    uint64_t global_load_bytes, global_store_bytes; /* asked for by active lanes */
    /* By cp.async, to shared memory: Nsight Compute counts those apart (ldgsts). */
    uint64_t global_copy_requests, global_copy_sectors, global_copy_sectors_ideal;
    uint64_t global_copy_bytes;
    uint64_t global_atomic_requests, global_atomic_sectors;
    uint64_t global_atomic_lanes;            /* active lanes */
    uint64_t global_atomic_lanes_serialised; /* sum over requests of lanes per address − 1 */
    uint64_t global_atomic_operations_int;   /* distinct addresses of integer adds (aggregated) */
    uint64_t global_atomic_operations_float; /* lanes of everything else */
    uint64_t global_atomic_worst_address;    /* operations on the most contended address */
    uint64_t shared_load_requests, shared_load_wavefronts, shared_load_conflicts;
    uint64_t shared_store_requests, shared_store_wavefronts, shared_store_conflicts;
    uint64_t shared_atomic_requests, shared_atomic_lanes;
    uint64_t local_load_requests, local_store_requests;
    uint64_t constant_load_requests;
    uint64_t branches, divergent_branches;  /* of PTX, not of machine code */
    uint64_t barriers;                      /* warp-level arrivals at bar.sync */
    uint64_t warp_collectives;              /* shuffles, votes, matches, reductions */
    uint64_t special_function_instructions; /* warp-level sin, ex2, rsqrt, div, sqrt, … */
    uint64_t double_instructions;           /* warp-level double-precision arithmetic */
    uint64_t integer_instructions, float_instructions;
    /* Distinct 32-byte sectors of global memory read and written by the whole launch: what an
     * infinite L2 would fetch once. */
    uint64_t unique_load_sectors, unique_store_sectors;
};

struct engine_line_counters {
    const char *file;
    uint32_t line;
    struct engine_counters counters;
};

/* What bounds a launch, each alone, in nanoseconds; see kernel_time.h. */
struct kernel_bounds {
    double latency; /* of an SM whose warps wait for nothing but their own results */
    double issue, pipes, l1, shared;
    double l2, dram, atomics;
};

struct engine_result {
    /* cudaSuccess or the error the real device would give: cudaErrorIllegalAddress,
     * cudaErrorMisalignedAddress, cudaErrorAssert, cudaErrorLaunchFailure (trap),
     * cudaErrorLaunchTimeout (hang), cudaErrorNotSupported (needs a GPU). */
    cudaError_t error;
    bool sticky;       /* the context is lost, as after these errors on a real device */
    char message[512]; /* a sentence for the student, "" on success */
    bool needs_gpu;    /* unsupported instruction or call: CANNOT GRADE, not the student's */
    struct engine_counters counters;
    uint64_t blocks_run;
    uint32_t resident_blocks_seen; /* most blocks that were in flight at once */
    double host_seconds;           /* what the emulation cost */
    double kernel_ns; /* on the virtual device, without what every launch costs; 0: not timed */
    struct kernel_bounds bounds;
    const char
        *time_unknown; /* why kernel_ns may be far off: what the kernel did; NULL: it is not */
};

/* Runs the launch to its end.  Returns result->error.  Findings are appended to the list below;
 * a finding of severity ERROR does not stop the launch unless the device would have stopped. */
cudaError_t engine_run(const struct engine_launch *launch, struct engine_result *result);

/* ---- what a launch touched ------------------------------------------------------------------- */

/* The page of managed memory has left the device while the launch runs. */
void engine_page_left(uint64_t address);

/* Bytes of global memory, numbered as in the shadows: allocation->shadow_offset + offset. */
struct engine_range {
    uint64_t first, end;
    const char *file; /* where the kernel did it; "" for the toolkit's headers */
    uint32_t line;    /* 0: not known, or several */
};
enum engine_touch {
    ENGINE_READS,
    ENGINE_WRITES,
    ENGINE_READS_STRONGLY, /* volatile, atomic: such accesses do not race with each other */
    ENGINE_WRITES_STRONGLY,
    ENGINE_TOUCH_KINDS,
};
enum { ENGINE_RANGES_MAX = 4096 }; /* of each kind; more are not kept */

/* Finds out what the most recent launch touched, if races were checked, from the last access of
 * each kind to every word. To be called before the next launch. */
void engine_look_at_touched(void);
/* Ranges in order, apart from each other. Valid until the next call of engine_look_at_touched. */
size_t engine_touched(enum engine_touch kind, const struct engine_range **ranges);

/* Counters of the most recent launch by source line, ordered by file and line.  Returns how many
 * there are; fills at most `max`.  Valid until the next launch or unload. */
size_t engine_line_counters(struct engine_line_counters *lines, size_t max);

/* ---- findings -------------------------------------------------------------------------------- */

enum finding_kind {
    FINDING_OUT_OF_BOUNDS,
    FINDING_MISALIGNED,
    FINDING_USE_AFTER_FREE,
    FINDING_HOST_POINTER, /* a kernel dereferenced a host address */
    FINDING_NULL_POINTER,
    FINDING_READ_ONLY, /* store to __constant__ memory */
    FINDING_UNINITIALISED,
    FINDING_SHARED_RACE,
    FINDING_GLOBAL_RACE,
    FINDING_BARRIER,   /* divergent barrier */
    FINDING_WARP_SYNC, /* shuffle or vote: absent lane, caller outside its mask */
    FINDING_DEADLOCK,
    FINDING_HANG, /* budget of instructions or seconds used up */
    FINDING_ASSERT,
    FINDING_TRAP,
    FINDING_HEAP,         /* bad free, double free in a kernel */
    FINDING_ATOMIC_SCOPE, /* of the device, where the host writes, too */
    FINDING_UNSUPPORTED,  /* needs a GPU */
    FINDING_HOST,         /* for the runtime: leak, host touches device memory, bad copy, … */
};

enum finding_severity { SEVERITY_WARNING, SEVERITY_ERROR };

struct engine_finding {
    enum finding_kind kind;
    enum finding_severity severity;
    char kernel[96]; /* pretty name, "" for the runtime's */
    char file[256];  /* "" without -lineinfo */
    uint32_t line;
    char other_file[256]; /* races: where the other access is */
    uint32_t other_line;
    uint32_t block[3], thread[3]; /* of the first occurrence */
    uint64_t address;
    uint64_t count;    /* occurrences at this place */
    char message[512]; /* one or two sentences, without file and line */
};

/* Findings in the order of first occurrence, one per (kind, kernel, line, other line). */
size_t engine_finding_count(void);
const struct engine_finding *engine_finding(size_t index);
void engine_clear_findings(void);

/* For the runtime's own findings: appends, or counts a repetition of the same kind, file, line and
 * message. Returns its index. */
size_t engine_add_finding(const struct engine_finding *finding);

/* "kind" as a stable word for reports: "out-of-bounds", "shared-race", … */
const char *engine_finding_word(enum finding_kind kind);

/* Prints one finding as the student sees it, several lines, to the buffer; returns its length. */
size_t engine_format_finding(const struct engine_finding *finding, char *text, size_t size);

#endif
