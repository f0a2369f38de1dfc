/* Two graders on one GPU take turns at measuring. */
#ifndef GRADER_GPU_LOCK_H
#define GRADER_GPU_LOCK_H

#include <stddef.h>
#include <stdint.h>

/* Waits until no other grader on this machine, whoever runs it, holds the lock of the GPU, which is
 * named by its place on the bus ("0000:1b:00.0"); all calls of a process together wait no longer
 * than `patience_ns`. Returns what gpu_unlock() takes. Where the
 * lock cannot be had, measuring goes on without it, and `note` receives one sentence; else it is
 * left as it is. */
int gpu_lock(const char *gpu, uint64_t patience_ns, char *note, size_t note_bytes);

void gpu_unlock(int lock);

#endif
