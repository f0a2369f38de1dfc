/* The arrays of a timed problem: allocated once between guard zones, used for every call. */
#ifndef GRADER_TIMED_ARRAYS_H
#define GRADER_TIMED_ARRAYS_H

#include "measure.h"

enum timed_party { PARTY_BASELINE, PARTY_CANDIDATE, PARTIES };

struct timed_arrays {
    const struct speed_test *test;
    size_t capacity[TIMED_ARRAYS_MAX];            /* elements; 0 ends the list */
    void *allocations[PARTIES][TIMED_ARRAYS_MAX]; /* kept arrays: one a party; others: the same */
    uint64_t checksums[TIMED_ARRAYS_MAX];         /* of the inputs before the call */
};

/* Bytes that one set for size n takes. */
size_t timed_arrays_bytes(const struct speed_test *test, size_t n);

/* Allocates a set for size n or less, with guard zones, scratch zeroed. */
cudaError_t timed_arrays_open(struct timed_arrays *set, const struct speed_test *test, size_t n);
void timed_arrays_close(struct timed_arrays *set);

/* Makes the problem of size n with new contents from the seed, outputs full of POISON_WORD. */
cudaError_t timed_arrays_prepare(struct timed_arrays *set, enum timed_party party, size_t n,
    uint64_t seed, struct timed_problem *problem);

/* Fills a set with POISON_WORD: no answer of an earlier call is left to copy, and who keeps the
 * pointers of an earlier call finds no inputs there that the baseline was given. Inputs that are not
 * on the device stay, because to fill them would move them, and so do kept arrays. */
cudaError_t timed_arrays_poison(const struct timed_arrays *set);

/* Brings every array of a set to the side where it has to be before a call. */
cudaError_t timed_arrays_restore(const struct timed_arrays *set, enum timed_party party);

enum damage { NO_DAMAGE, GUARD_ZONE_WRITTEN, INPUT_WRITTEN };

/* What a call did that it must not do: looks at the guard zones of all arrays and at the contents
 * of all inputs. `text` receives one line on the first damage. */
cudaError_t timed_arrays_inspect(const struct timed_arrays *set,
    const struct timed_problem *problem, enum damage *damage, char *text, size_t text_bytes);

#endif
