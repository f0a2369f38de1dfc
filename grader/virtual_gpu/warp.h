/* The state of a launch, a block and a warp while they run. */
#ifndef VIRTUAL_GPU_WARP_H
#define VIRTUAL_GPU_WARP_H

#include "balance.h"
#include "engine.h"
#include "program.h"

/* ---- addresses
 * -------------------------------------------------------------------------------
 */

/* Windows of the generic address space; no host address looks like these. */
#define SHARED_WINDOW ((uint64_t)0x00F1 << 48)
#define LOCAL_WINDOW ((uint64_t)0x00F2 << 48)
#define PARAM_WINDOW ((uint64_t)0x00F3 << 48)
#define WINDOW_MASK ((uint64_t)0xFFFF << 48)

/* ---- calls
 * -----------------------------------------------------------------------------------
 */

/* One activation of a function by a group of lanes: its frame, and where to
 * return to. */
struct activation {
    const struct program *program;
    uint8_t *frame;
    size_t frame_capacity;
    struct activation *caller;
    const struct insn *call; /* in the caller */
    uint32_t lanes;          /* that have not returned or exited yet */
    uint32_t depth;
    struct activation *next_free;
};

/* ---- convergence
 * -----------------------------------------------------------------------------
 */

/* Lanes that parted at a branch meet again here. */
struct meeting {
    uint32_t members, arrived; /* lanes */
    uint32_t pc;
    struct activation *activation;
    struct meeting *outer;
    bool is_return; /* where a call returns to */
    struct meeting *next_free;
};

enum group_state { GROUP_READY, GROUP_AT_BARRIER, GROUP_AT_COLLECTIVE };

/* Lanes of a warp that execute together. */
struct group {
    uint32_t mask;
    uint32_t pc;
    struct meeting *meeting; /* innermost, or NULL */
    struct activation *activation;
    enum group_state state;
    uint32_t age;             /* slices used since it was made */
    uint32_t barrier;         /* when at a barrier: its number */
    uint32_t collective_mask; /* when at a collective: the lanes it waits for */
    uint32_t awaited;         /* lanes that were let out of a meeting to come here */
    struct group *next;       /* in the warp's list */
};

/* A lane's pending copies of cp.async. */
struct async_copies;

struct warp {
    uint8_t *frame; /* of the running group's activation: operands are offsets in it */
    struct block *block;
    struct launch *launch;
    uint32_t index;    /* in the block */
    uint64_t executed; /* instructions in this block, without those of waiting for the grid */
    uint32_t live;     /* lanes that exist and have not exited */
    uint32_t started;  /* lanes that exist */
    struct group *groups;
    struct group *running;
    struct activation base;             /* of the kernel */
    uint8_t *local;                     /* local memory: lane-major, local_bytes each */
    uint8_t *local_initialised;         /* the same, one bit a byte */
    uint32_t local_top[WARP_LANES];     /* first byte of the stack that is free */
    uint32_t segment;                   /* stamps accesses; see race.h */
    uint32_t sync_floor;                /* segment at the last __syncwarp of all lanes */
    uint32_t (*pair_floor)[WARP_LANES]; /* the same for pairs of lanes, or NULL */
    uint32_t fence_block[WARP_LANES], fence_device[WARP_LANES]; /* segment after the last fence */
    struct async_copies *async;
    bool polled;             /* in this slice: a volatile load, or an atomic that changed
                   nothing */
    bool changed;            /* in this slice: wrote memory */
    bool waits_for_mbarrier; /* just found one that is not complete: its turn may end */
    uint64_t asked_address;  /* global memory that it read last as others may change it … */
    uint32_t asked_times;    /* … and how often in a row, but for the first time */
    const struct insn *took; /* the atomic by which it has taken a number last; see warp_takes() */
    uint32_t idle_slices;    /* slices in a row in which it only polled */
    int32_t at_barrier;      /* number of the barrier that all its lanes wait at, or -1 */
    bool barrier_reported;
    bool in_grid_sync;        /* has arrived at the grid's barrier, and waits */
    uint32_t carry;           /* lanes whose add.cc carried */
    struct warp_trace *trace; /* NULL: nothing is written down; see trace.h */
};

/* ---- blocks
 * ----------------------------------------------------------------------------------
 */

enum {
    BARRIERS = 16,
    RESERVED_SHARED_BYTES = 1024, /* behind the kernel's own; cooperative groups use them */
    SHARED_JUNK = 0xA7,
};

struct barrier {
    uint32_t arrived_threads;  /* counted in whole warps */
    uint32_t expected_threads; /* 0: all live threads of the block */
    uint32_t waiting_warps;    /* bit set of warps with a group that waits here */
    const struct insn *first;  /* the instruction of the first arrival */
    uint32_t votes_true;       /* bar.red */
    uint32_t voters;
};

struct block {
    struct launch *launch;
    uint64_t linear; /* index in the grid */
    uint32_t id[3];
    struct warp *warps;
    uint32_t warp_count, live_warps;
    uint32_t threads;
    struct barrier barriers[BARRIERS];
    uint8_t *shared;
    uint32_t shared_bytes;                   /* that the kernel may use */
    uint32_t shared_limit;                   /* that it may touch: with the system's words when it
                            reads their place */
    uint32_t shared_capacity;                /* with the words that the system reserves */
    uint8_t *shared_initialised;             /* bitmap, one bit a byte */
    uint64_t *shared_writer, *shared_reader; /* race words, one for every 4 bytes */
    uint64_t *shared_race_bytes;             /* eight for every 4 bytes, or NULL; see
                                  block_race_bytes */
    uint32_t *shared_rows;  /* speed: epoch in which 32 words were found read by several
                       threads and written by none; see access_race.c */
    uint32_t epoch_first;   /* first segment after the block's last barrier */
    uint32_t start_segment; /* first segment of this block */
    uint32_t fence_device;  /* segment after the last device fence of any of its
                             threads */
    uint32_t fence_block;
    enum block_traced { TRACED_NOT, TRACED_IN_SAMPLE, TRACED_AS_LONG } traced;
    bool warp_synced; /* some warp passed a __syncwarp in this epoch */
    bool is_done;
};

/* ---- launches
 * --------------------------------------------------------------------------------
 */

struct launch {
    const struct engine_launch *spec;
    const struct engine_kernel_info *kernel_info;
    struct kernel_code *kernel;
    struct engine_result *result;
    const uint8_t *params;
    uint32_t param_bytes;
    uint32_t block_threads, block_warps;
    uint64_t block_total;
    uint32_t shared_bytes;       /* static and dynamic */
    uint32_t local_bytes;        /* per lane, of the kernel alone */
    uint32_t local_limit_bytes;  /* per lane, with the stack for calls */
    struct insn_window *windows; /* by insn.index */
    struct insn_counts *counts;  /* by insn.index */
    uint64_t instructions;       /* executed, in warps */
    uint64_t budget;
    double deadline_s;            /* on the monotonic clock; 0: none */
    bool stop;                    /* fatal: result->error is set */
    uint32_t begin_segment;       /* first segment of this launch */
    uint32_t launch_first;        /* first segment of this launch, or after the last grid
                            sync */
    struct allocation *workspace; /* grid sync */
    uint8_t **spare_frames;
    uint32_t spare_frame_count, spare_frame_capacity;
    uint32_t *warp_order;    /* warp indices in the order of their turns */
    struct block **resident; /* blocks in flight, oldest first */
    uint32_t in_flight;
    bool check_memory, check_initialisation, check_races, count;
    bool has_releases; /* some thread has released something: see race.c */
    uint64_t unique_load_sectors, unique_store_sectors, worst_address;
    uint16_t stamp;                    /* of this launch in shadow_sectors */
    struct hot_addresses *hot;         /* operations on every address of atomics; see count.c */
    struct hot_addresses *busy_places; /* and how long the second-level cache works on them */
    struct launch_findings *findings;
    struct trace *trace;                        /* NULL when the launch is not timed */
    struct balance balance;                     /* of its work on blocks */
    uint64_t dram_sectors;                      /* read and written */
    uint64_t atomic_busiest_ps, atomic_packets; /* on a whole H200; see count.c */
    /* Of warps that wait for the whole grid: how often they look depends on the interpreter. */
    uint64_t waiting_instructions, waiting_loads, waiting_sectors;
    bool takes_again;         /* a warp has taken a number, and come back for another one */
    const char *time_unknown; /* what the kernel did that the model of time knows nothing of */
};

static inline void *cell(const struct warp *warp, uint32_t offset)
{
    return warp->frame + offset;
}

static inline uint32_t *cell_32(const struct warp *warp, uint32_t offset)
{
    return (uint32_t *)(warp->frame + offset);
}

static inline uint64_t *cell_64(const struct warp *warp, uint32_t offset)
{
    return (uint64_t *)(warp->frame + offset);
}

static inline uint32_t *predicate(const struct warp *warp, uint32_t offset)
{
    return (uint32_t *)(warp->frame + offset);
}

/* Linear index in the block of a lane's thread. */
static inline uint32_t thread_of(const struct warp *warp, uint32_t lane)
{
    return warp->index * WARP_LANES + lane;
}

/* For loops over the lanes of a mask: takes the lowest one out. */
static inline uint32_t next_lane(uint32_t *mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(*mask);
    *mask &= *mask - 1;
    return lane;
}

/* ---- warp.c
 * ----------------------------------------------------------------------------------
 */

/* Gets a warp ready for a block: frame, special registers, one group of all its
 * lanes. */
void warp_start(struct warp *warp);
void warp_free(struct warp *warp);

/* Runs groups until every one waits or `slice` instructions were executed;
 * returns how many. */
uint32_t warp_run(struct warp *warp, uint32_t slice);

/* Notes that a warp read global memory that others may change, or tried to change it and did not.
 * How often it asks for the same place depends on the interpreter, so that its time is unknown: in a
 * cooperative launch nothing else shows that blocks wait for others. */
void warp_asks(struct warp *warp, uint64_t address);

/* Takes a number: adds an integer to global memory, and gets what was there. If warps come back for
 * more, the numbers may be pieces of the work; who gets them depends on the order of the blocks. */
void warp_takes(struct warp *warp, const struct insn *insn);

/* ---- block.c
 * ---------------------------------------------------------------------------------
 */

struct block *block_new(struct launch *launch);
/* Race words of single bytes of shared memory: for every 4 bytes their writers,
 * then readers. */
uint64_t *block_race_bytes(struct block *block);
void block_free(struct block *block);
void block_start(struct block *block, uint64_t linear);
/* One round over its warps; returns true when something moved on. */
bool block_round(struct block *block);
/* A warp's lanes have all arrived, exited or are stuck: does a barrier complete
 * now? */
void block_check_barriers(struct block *block);

#endif
