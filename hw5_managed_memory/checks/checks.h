/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../managed_memory.h"
#include "grader/measure.h"
#include "grader/restricted.h"
#include "grader/trial.h"

#define wrong(trial, ...) trial_fail(trial, WRONG_ANSWER, __VA_ARGS__)

/* Another function of the candidate's file; if there is none, the task has failed. */
void *companion(struct trial *t, const char *name);

enum cudaMemoryType type_of(const void *pointer);
const char *type_name(const void *pointer);

/* Never NULL: after a failure the case does not go on, but the lesson fills what it asked for. */
void *managed(struct trial *t, size_t bytes);

/* Is concurrentManagedAccess 1? */
bool is_concurrent(void);

/* cudaInvalidDeviceId where the runtime does not know. */
int attribute_of(const void *memory, size_t bytes, enum cudaMemRangeAttribute attribute);

/* The end of a call under the rules of restricted.h, if `restricted`: with them it must succeed,
 * too. Returns its status. */
cudaError_t end_restricted(struct trial *t, bool restricted, cudaError_t status);

/* Did the host use managed memory of work that it had not waited for? Only the virtual GPU sees. */
bool touched_early(void);

/* What explains stale values: the candidate looked before the device was done. */
bool read_too_early(struct trial *t);

/* What *sum holds before a call; no sum of the inputs comes near it. */
extern const long long junk_sum;

void expect_sum(struct trial *t, const char *whose, long long got, long long want);

/* Not every byte of it comes from a kernel. */
bool host_made(const void *memory, size_t bytes);

/* Compares numbers that were copied to host memory. `early`: what they are if they were read before
 * the device was done; may be NULL. */
void expect_ints(struct trial *t, const char *name, int32_t *got, const double *want, size_t count,
    const double *early);

void check_list(struct trial *t);
void check_increment(struct trial *t);
void check_copies(struct trial *t);
void check_text(struct trial *t);
void check_count(struct trial *t);
void check_hints(struct trial *t);
void check_search(struct trial *t);

extern const struct speed_test increment_speed;

#endif
