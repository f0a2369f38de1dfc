/* The report of ncu's counters: what was measured of each kernel, and the limiter by the workbook's
 * rule: the larger of memory and compute if it reaches 60 % of its peak, else latency. */
#ifndef GRADER_PROFILE_MEASURED_H
#define GRADER_PROFILE_MEASURED_H

#include "profile_ncu.h"
#include "profile_page.h"

void print_measured(const struct page *page, const struct measured_kernel *kernels, size_t count);

#endif
