/* One measured call with everything around it: fresh contents, poisoned outputs, a cold cache, and
 * afterwards every check that a correctness case makes. */
#ifndef GRADER_TIMED_CALL_H
#define GRADER_TIMED_CALL_H

#include "device_limits.h"
#include "measure.h"
#include "sampling_plan.h"
#include "timed_arrays.h"

enum { ROTATING_SETS = 2 };

struct bench {
    const struct speed_test *test;
    struct sampling_plan plan;
    struct timed_arrays sets[ROTATING_SETS];
    struct limit limit;
    struct speed_result *result; /* receives what goes wrong */
    bool candidate_ran;          /* from then on a broken device is its doing */
    double allocation_ns;        /* of its last call, if its inputs are on the device; else 0 */
};

/* One of the two functions that are compared, and the size that it runs. */
struct timed_function {
    enum timed_party party;
    void *function;
    size_t n;
};

struct times {
    double call_ns; /* device idle to device idle, by the host's clock */
    double idle_ns; /* an empty launch and a synchronise, just before */
};

/* Both return false when the measurement is over: the result holds verdict, diagnosis and text. */
bool timed_call(struct bench *bench, const struct timed_function *timed, size_t set, uint64_t seed,
    struct times *times);
bool timed_limit(struct bench *bench, size_t n, struct times *times);

/* Ends the measurement with this verdict; printf style. Returns false. */
bool end_measurement(struct speed_result *result, int verdict, const char *diagnosis,
    const char *text, ...) __attribute__((format(printf, 4, 5)));

/* The same for a CUDA call of the grader's own that failed while it did `what`. */
bool end_by_failure(struct speed_result *result, cudaError_t status, const char *what);

/* Nothing that was touched is left in the L2. Ends the measurement and returns false if that fails. */
bool forget_caches(struct speed_result *result);

#endif
