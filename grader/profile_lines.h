/* The lines of the source, worst first, and their text. */
#ifndef GRADER_PROFILE_LINES_H
#define GRADER_PROFILE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "virtual_gpu/vgpu.h"

/* Sectors and wavefronts beyond what the same bytes need. */
uint64_t line_excess(const struct vgpu_counters *made);

/* Sorts by excess, then by all sectors and wavefronts, then by atomics; the lines that stand for
 * whole kernels and those that touch no memory come last. Returns how many are left. */
size_t sort_lines(struct vgpu_line *lines, size_t count);

/* The text of a line, without its end; "" if the file cannot be read. */
void line_text(const struct vgpu_line *line, char *text, size_t bytes);

/* "reduction.cu:61" */
void line_place(const struct vgpu_line *line, char *text, size_t bytes);

#endif
