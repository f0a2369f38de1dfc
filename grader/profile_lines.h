/* The lines of the source, worst first, with their text. */
#ifndef GRADER_PROFILE_LINES_H
#define GRADER_PROFILE_LINES_H

#include <stddef.h>

#include "profile_page.h"
#include "virtual_gpu/vgpu.h"

/* Sorts the lines by sectors and wavefronts beyond what the same bytes need, then by all sectors
 * and wavefronts, then by atomics; and prints the first few. */
void print_lines(const struct page *page, struct vgpu_line *lines, size_t line_count);

#endif
