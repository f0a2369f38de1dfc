/* hw3.6: 16 bytes at a time. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

enum { VECTOR = 4 }; /* floats of 16 bytes */

/* Floats by which both arrays miss a 16-byte boundary, and how many are copied. */
static const struct copy_case {
    size_t from, to, n;
} copy_cases[] = {{0, 0, 1003}, {1, 1, 1000}, {0, 1, 1000}, {3, 0, 1000}, {2, 1, 1001}, {2, 2, 998},
    {3, 3, 257}, {0, 2, 259}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 0, 3}, {0, 0, 4}, {1, 1, 1},
    {1, 1, 2}, {1, 1, 3}, {1, 1, 6}, {1, 1, 7}, {3, 3, 1}, {3, 3, 5}, {3, 3, 33}, {1, 3, 2},
    {0, 0, 4096}, {1, 1, 1000003}, {0, 2, 100003}};

/* Names what is missing at the two ends, where everything between them is right. */
static void expect_copy(
    struct trial *t, const struct copy_case *c, const struct array *in, const struct array *out)
{
    const size_t head = (VECTOR - c->to) % VECTOR, whole = c->n < head ? c->n : head;
    const size_t tail = whole + (c->n - whole) / VECTOR * VECTOR;
    struct array copied = *out;
    double *want = doubles(c->n), *headless = doubles(c->n), *tailless = doubles(c->n);
    const struct suspect suspects[] = {
        {"head-missing", headless}, {"tail-missing", tailless}, {NULL, NULL}};

    for (size_t i = 0; i < c->n; i++) {
        want[i] = in->floats[c->from + i];
        headless[i] = i < whole ? NAN : want[i];
        tailless[i] = i >= tail ? NAN : want[i];
    }
    copied.floats += c->to;
    copied.count = c->n;
    trial_expect(t, &(struct expectation){.output = &copied, .want = want, .suspects = suspects});
    for (size_t i = 0; i < c->to; i++)
        if (!array_unwritten(out, i))
            trial_fail(t, WRONG_ANSWER, "written-before",
                "to[-%zu] was written, which lies before the target", c->to - i);
    free(want), free(headless), free(tailless);
}

static const struct cost_gate wide = {
    "narrow-requests", "loads or stores for each 16 bytes of a lane", counted_requests, NULL, 1.1};

static void try_copy(struct trial *t, const struct copy_case *c)
{
    copy_function copy = (copy_function)trial_function(t);
    struct array *in = trial_input(t, "from", FLOAT32, c->from + c->n);
    struct array *out = trial_output(t, "to", FLOAT32, c->to + c->n);
    const float *from = (const float *)in->device + c->from;
    const double lines = (double)c->n * sizeof(float) / (16 * WARP);

    fill(t, in, trial_seed(t));
    if (!TRIAL_CALL(t, copy(from, (float *)out->device + c->to, c->n, trial_stream(t))))
        return;
    if (c->n == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "n is 0, and a kernel was launched");
    if (trial_ledger(t)->bytes_on_device > 0)
        trial_fail(t, WRONG_ANSWER, "copied-by-the-runtime", "the CUDA runtime copied %zu bytes",
            trial_ledger(t)->bytes_on_device);
    expect_copy(t, c, in, out);
    if (c->from == c->to && c->n >= LARGE)
        trial_expect_cost(t, &wide, 2 * lines); /* one load and one store for each 512 bytes */
}

void check_copy(struct trial *t)
{
    const struct copy_case tried = {1, 1, trial_try_size(t)};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(copy_cases)); i++) {
        const struct copy_case *c = trying ? &tried : &copy_cases[i];
        if (!trial_begin(t, "from%zu-to%zu-n%zu", c->from, c->to, c->n))
            continue;
        try_copy(t, c);
        trial_end(t);
    }
}
