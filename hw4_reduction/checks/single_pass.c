/* hw4.4: the sum in one launch. */
#include <stdint.h>

#include "checks.h"
#include "grader/virtual_calls.h"

static const struct {
    size_t n;
    fill_function *fill;
} single_pass_cases[] = {
    {32, fill_small},
    {1, fill_small},
    {257, fill_small},
    {0, fill_small},
    {4099, fill_small},
    {1000003, fill_small},
    {1000, fill_large},
    {1000003, fill_floats},
    {1000003, fill_wide},
};

/* The virtual GPU runs its blocks in order, unless asked for another one. */
static void set_order_of_blocks(uint64_t seed)
{
    if (virtual_calls()->set_order)
        virtual_calls()->set_order(seed);
}

/* Three calls on the same scratch memory: what one leaves there, the next one finds. The second has
 * other contents, so that an answer which was kept is not taken for a deterministic one. */
static void try_single_pass(struct trial *t, size_t n, fill_function *fill)
{
    const int calls = trial_try_size(t) ? 1 : 3;
    single_pass_function sum = (single_pass_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, n);
    struct array *out = trial_output(t, "out", FLOAT32, 1);
    struct array *scratch = trial_scratch(t, "scratch", SCRATCH_BYTES);
    uint32_t first_bits = 0;

    for (int call = 1; call <= calls; call++) {
        fill(in->floats, n, trial_seed(t) + (call == 2));
        set_order_of_blocks((uint64_t)call);
        if (!TRIAL_CALL(t, sum(in->device, out->device, n, scratch->device, trial_stream(t))))
            return;
        if (trial_ledger(t)->launches > 1)
            trial_fail(t, WRONG_ANSWER, "more-than-one-launch", "%zu kernels were launched",
                trial_ledger(t)->launches);
        expect_sum(t, out, (struct summed){in->floats, n, 256, 0}, fill,
            call == 1 ? "no-last-block" : "ticket-not-reset",
            call == 1 ? NULL : "ticket-not-reset");
        if (call == 1)
            first_bits = out->words[0];
        else if (call == 3 && out->words[0] != first_bits && trial_healthy(t))
            trial_fail(t, WRONG_ANSWER, "order-dependent",
                "call %d returned other bits than the first call, by %.2g", call,
                out->floats[0] - ((union {
                    uint32_t word;
                    float value;
                }){first_bits})
                                     .value);
    }
}

void check_single_pass(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(single_pass_cases)); i++) {
        const size_t n = tried ? tried : single_pass_cases[i].n;
        if (!trial_begin(t, "case%zu-n%zu", i, n))
            continue;
        try_single_pass(t, n, single_pass_cases[i].fill);
        set_order_of_blocks(0);
        trial_end(t);
    }
}
