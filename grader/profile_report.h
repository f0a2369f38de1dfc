/* The whole report: whose counters they are, where they come from, and the tables of every task. */
#ifndef GRADER_PROFILE_REPORT_H
#define GRADER_PROFILE_REPORT_H

#include "profile.h"
#include "profile_measured.h"
#include "profile_page.h"

/* One call, counted or measured. */
struct entry {
    struct profile profile;
    struct measured_kernel *kernels; /* by ncu; NULL: counted */
    size_t kernel_count;
};

struct report {
    struct entry entries[TASKS_MAX];
    size_t count;
    bool measured;
    char device[128];
};

/* The call did not do what it should; a call that is slow did. */
bool wrong_values(const struct profile *profile);

/* There is something to show. */
bool has_kernels(const struct entry *entry);

void print_report(const struct page *page, struct report *report);

#endif
