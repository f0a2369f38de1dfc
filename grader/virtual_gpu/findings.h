/* Findings of a running kernel: who did what where, in words. The list itself and its interface
 * for the runtime are in engine.h. */
#ifndef VIRTUAL_GPU_FINDINGS_H
#define VIRTUAL_GPU_FINDINGS_H

#include "race.h"

/* Records a finding at an instruction; the first occurrence keeps block, thread and message, later
 * ones only count.  `lane` may be any lane of the warp. */
__attribute__((format(printf, 6, 7))) void finding_at(struct warp *warp, const struct insn *insn,
    uint32_t lane, enum finding_kind kind, uint64_t address, const char *format, ...);

/* The same between two places: `other` is where the other side of it is. */
__attribute__((format(printf, 6, 7))) void finding_between(struct warp *warp,
    const struct insn *insn, const struct insn *other, uint32_t lane, enum finding_kind kind,
    const char *format, ...);

/* True when the same instruction already has a finding of the kind: the message need not be built
 * again. Counts the repetition. */
bool finding_repeats(struct warp *warp, const struct insn *insn, enum finding_kind kind);

void finding_race(const struct race_meeting *meeting, bool same_block, bool same_thread);

/* A load through the read-only path of what this launch has written; `writer`: the race word. */
void finding_read_only(
    struct warp *warp, const struct insn *insn, uint32_t lane, uint64_t address, uint64_t writer);

/* An access to global memory that no allocation allows. */
void finding_bad_access(struct warp *warp, const struct insn *insn, uint32_t lane, uint64_t address,
    uint32_t bytes, bool is_store);

/* The same place was used: forget which instructions have findings. */
void findings_launch_begin(struct launch *launch);
void findings_launch_end(struct launch *launch);

/* "(5, 0, 0)" of a thread or block index; the buffer is one of several that are used in turn. */
const char *finding_thread_text(const struct launch *launch, uint32_t thread);
const char *finding_block_text(const struct launch *launch, uint64_t block);

/* Ends the launch with an error, once. */
__attribute__((format(printf, 3, 4))) void launch_stop(
    struct launch *launch, cudaError_t error, const char *format, ...);

/* Name of the shared variable at an offset of a kernel's shared memory, "shared memory" if none. */
const char *shared_name(const struct launch *launch, uint64_t offset, char *text, size_t size);

#endif
