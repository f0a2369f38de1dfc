/* What the candidate asked the CUDA runtime for, seen by defining the calls in the executable
 * and forwarding them; the candidate's calls bind to ours although it is opened with dlopen.
 * The executable must be linked with -rdynamic against the shared runtime. */
#ifndef GRADER_LEDGER_H
#define GRADER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A launch that the runtime refused: CUDA 13 says only "invalid value", the dimensions say why. */
struct refused_launch {
    int error; /* cudaError_t; 0: every launch was accepted */
    unsigned grid[3], block[3];
    size_t shared_bytes;
};

/* The first copy that the runtime refused. */
struct refused_copy {
    int error; /* cudaError_t; 0: every copy was accepted */
    int kind;  /* enum cudaMemcpyKind, as the candidate gave it */
    size_t bytes;
};

/* The latest error of a call, and the first call that gave it. */
struct refused_call {
    int error; /* cudaError_t; 0: every call was accepted */
    const char *name;
};

/* How many streams, events or graphs the candidate made, and how many it destroyed. */
struct handles {
    size_t made, destroyed;
};

enum { LEDGER_DEVICES = 16 };

struct ledger {
    size_t allocations, frees; /* calls that succeeded, device and pinned memory alike; not NULL */
    size_t allocated_bytes;    /* sum over the successful allocations */
    uint64_t allocation_ns;    /* time in the calls that made them */
    size_t smallest_request_bytes; /* of all allocation requests, failed ones too; SIZE_MAX: none */
    size_t leaked_allocations, leaked_bytes;
    size_t bytes_to_device, bytes_to_host, bytes_on_device; /* copies that succeeded */
    size_t paused_bytes_to_host; /* while nothing was recorded; on the virtual GPU */
    size_t
        host_made_bytes; /* of those to the host, what no kernel wrote: only the virtual GPU knows */
    size_t pinned_bytes;         /* host memory that kernels reach, allocated or registered */
    size_t launches;             /* kernel launches that succeeded */
    size_t cooperative_launches; /* those of them whose blocks are resident together */
    size_t launches_on[LEDGER_DEVICES]; /* the same by the device whose stream got them */
    size_t synchronisations;            /* of device, stream or event */
    struct handles streams, events, graphs, executable_graphs;
    size_t captures, graph_launches; /* calls that succeeded */
    size_t graph_roots; /* nodes that depend on nothing: the most of any graph instantiated */
    size_t injected_failures;
    size_t foreign_frees; /* frees of memory that was not allocated in this recording: refused */
    size_t calls_outside; /* runtime calls of other threads while nothing was recorded, until now */
    struct refused_launch refused_launch; /* the first one */
    struct refused_copy refused_copy;
    struct refused_call refused_call;
};

/* From now on calls are the candidate's, and are recorded in a fresh ledger. */
void ledger_open(void);

/* Ends the recording and returns it. Whatever the candidate allocated and did not free is
 * counted as leaked, then freed, so that it cannot disturb the next case. */
struct ledger ledger_close(void);

/* Around calls of the grader's own within a recording, as from a function that the candidate was
 * given: they are not the candidate's. */
void ledger_pause(void);
void ledger_go_on(void);

/* Told of every recording, before it begins and after it has ended, by the thread that opens and
 * closes it; NULL: nobody is. For make profile, which counts what a call does. */
struct ledger_watcher {
    void (*opens)(void);
    void (*closed)(const struct ledger *ledger);
};
void ledger_watch(const struct ledger_watcher *watcher);

/* The k-th allocation (1, 2, …) of the next recording fails with cudaErrorMemoryAllocation;
 * 0: none. */
void ledger_fail_allocation(unsigned k);

#endif
