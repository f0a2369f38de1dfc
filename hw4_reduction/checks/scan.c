/* hw4.6: a prefix sum in each warp. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

static const size_t scan_sizes[] = {32, 33, 1, 31, 64, 255, 256, 257, 0, 1000003};

/* One step of the scan of a warp: every lane at or above `offset` adds the value that far below;
 * with `doubling` the others add their own, which is what the shuffle gives them. */
static void scan_step(double *values, size_t n, size_t offset, bool doubling)
{
    for (size_t i = n; i-- > 0;)
        if (i % WARP >= offset)
            values[i] += values[i - offset];
        else if (doubling)
            values[i] += values[i];
}

static double *scanned(const int32_t *in, size_t n, bool doubling)
{
    double *values = doubles(n);

    for (size_t i = 0; i < n; i++)
        values[i] = in[i];
    for (size_t offset = 1; offset < WARP; offset *= 2)
        scan_step(values, n, offset, doubling);
    return values;
}

static void expect_scan(struct trial *t, const struct array *in, const struct array *out)
{
    const size_t n = in->count;
    double *want = scanned(in->ints, n, false), *doubled = scanned(in->ints, n, true);
    double *exclusive = doubles(n), *by_thread = doubles(n), *rounded_down = doubles(n);
    const struct suspect suspects[] = {{"lowest-lanes-doubled", doubled},
        {"exclusive-scan", exclusive}, {"lane-is-not-thread", by_thread},
        {"grid-rounded-down", n < WARP ? by_thread : rounded_down}, {NULL, NULL}};

    for (size_t i = 0; i < n; i++) {
        exclusive[i] = want[i] - in->ints[i];
        by_thread[i] = i < WARP ? want[i] : doubled[i];
        rounded_down[i] = i < n / WARP * WARP ? want[i] : NAN;
    }
    trial_expect(t,
        &(struct expectation){.output = out, .want = want, .inputs = {in}, .suspects = suspects});
    free(want), free(doubled), free(exclusive), free(by_thread), free(rounded_down);
}

void check_scan(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(scan_sizes)); i++) {
        const size_t n = tried ? tried : scan_sizes[i];
        if (!trial_begin(t, "n%zu", n))
            continue;
        scan_function scan = (scan_function)trial_function(t);
        struct array *in = trial_input(t, "in", INT32, n);
        struct array *out = trial_output(t, "out", INT32, n);
        fill_ints(in->ints, n, -1000, 1000, trial_seed(t));
        if (TRIAL_CALL(t, scan(in->device, out->device, n, trial_stream(t))))
            expect_scan(t, in, out);
        trial_end(t);
    }
}
