/* What a run leaves behind: findings and counters, for vgpu.h and for VGPU_REPORT.
 *
 * VGPU_REPORT says what is printed on stderr:
 *   (unset)  findings, as they occur
 *   text     findings, and at the end the counters of every kernel and source line
 *   json     one JSON object a line: findings as they occur, counters at the end
 *   none     nothing; a grader reads vgpu_findings and vgpu_counters
 */
#ifndef VIRTUAL_GPU_RT_REPORT_H
#define VIRTUAL_GPU_RT_REPORT_H

#include "rt.h"

#include <stdio.h>

enum rt_report { REPORT_FINDINGS, REPORT_TEXT, REPORT_JSON, REPORT_NONE };
enum rt_report rt_report_wanted(void);

/* With quotes, and what JSON does not allow escaped. */
void rt_print_json_text(FILE *to, const char *text);

/* A finding of the runtime with places, where rt_finding() has none. */
void rt_add_finding(const char *word, const struct engine_finding *finding);

/* Prints findings that are new since the last call. */
void rt_report_new_findings(void);
/* The same where the process is about to end: nobody can read them from it any more, so they are
 * printed under VGPU_REPORT=none, too. */
void rt_report_last_findings(void);
/* The stable word of a finding: "leak", "out-of-bounds", … */
const char *rt_finding_word(size_t index);
void rt_forget_findings(void);
/* Allocations that are still there: one finding each. */
void rt_find_leaks(void);

/* One source line of one kernel, over all its launches; line 0 is the whole kernel. */
struct rt_counted_line {
    char kernel[96];
    char file[256];
    uint32_t line;
    uint64_t launches;
    struct engine_counters counters;
    double kernel_ns; /* the model's, and what would bound it alone; of a whole kernel */
    struct kernel_bounds bounds;
};

/* One kernel with one launch shape, over all its launches. */
struct rt_counted_launch {
    const struct engine_kernel *kernel;
    uint32_t grid[3], block[3], dynamic_shared_bytes;
    uint64_t launches;
    double kernel_ns;
    struct kernel_bounds bounds;
    struct engine_counters counters;
};

/* Adds the counters of the launch that just ended. */
void rt_count_launch(const struct engine_launch *launch, const struct engine_result *result);
/* From now on by source line too. */
void rt_count_lines(bool on);
/* By kernel, file and line; *count receives how many there are. */
const struct rt_counted_line *rt_counted_lines(size_t *count);
/* The same by kernel and shape, in the order of first launches: only while lines are counted. */
void rt_note_launch(const struct engine_launch *launch, const struct engine_result *result);
const struct rt_counted_launch *rt_counted_launches(size_t *count);
unsigned rt_resident_blocks(const struct rt_counted_launch *launch); /* that fit on an SM */
void rt_forget_launches(void);
void rt_add_counters(struct engine_counters *sum, const struct engine_counters *added);
const struct engine_counters *rt_counted_total(uint64_t *launches);
void rt_forget_counters(void);
void rt_print_counters(enum rt_report report);

/* What copies have brought to the host from memory of a device. */
uint64_t rt_copied_to_host_bytes(void);
void rt_forget_copies(void);

#endif
