/* The report of exact counts: what the virtual GPU saw of each kernel, and what it means. */
#ifndef GRADER_PROFILE_COUNTS_H
#define GRADER_PROFILE_COUNTS_H

#include "profile.h"
#include "profile_page.h"

/* The kernels of one call, each with its table and its limiter; then the worst lines. */
void print_counts(const struct page *page, struct profile *profile);

#endif
