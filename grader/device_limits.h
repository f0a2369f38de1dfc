/* What this device can do at best, measured in this run: the same number of bytes as a task moves,
 * with the same mix of reads and writes, or over the same link, and nothing else. */
#ifndef GRADER_DEVICE_LIMITS_H
#define GRADER_DEVICE_LIMITS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

enum limit_kind {
    LIMIT_COPY,      /* as many reads as writes */
    LIMIT_ADD,       /* two reads a write */
    LIMIT_READ,      /* reads alone */
    LIMIT_TO_DEVICE, /* the link: a copy from page-locked host memory to the device */
    LIMIT_LESSON,    /* what the lesson itself names: struct speed_test, limit_call */
    LIMIT_BASELINE,  /* not bandwidth: the gate is a speed-up over the baseline */
    LIMIT_KINDS
};

/* Whether it is one of the kernels of this file: the others are the lesson's own. */
bool limit_is_bandwidth(enum limit_kind kind);

/* "copy bandwidth": completes "50 % of this GPU's …". */
const char *limit_name(enum limit_kind kind);

/* A limit that is ready to run. */
struct limit {
    enum limit_kind kind;
    size_t shape; /* index of the fastest kernel shape on this device */
    size_t bytes; /* that one run moves */
    void *memory;
    void *pinned; /* LIMIT_TO_DEVICE: what is copied to memory */
};

/* The shape that moves `sweep_bytes` fastest, and its GB/s: tries them all, each `calls` times,
 * and keeps the answer for the life of the process. LIMIT_BASELINE has none. */
cudaError_t limit_find(
    enum limit_kind kind, size_t sweep_bytes, int calls, size_t *shape, double *gb_s);

/* Allocates memory for a run that moves `bytes` with the shape that limit_find() found. */
cudaError_t limit_open(struct limit *limit, enum limit_kind kind, size_t shape, size_t bytes);

/* Queues one run on the default stream. */
cudaError_t limit_run(const struct limit *limit);

void limit_close(struct limit *limit);

#endif
