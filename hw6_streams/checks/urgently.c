/* hw6.6: priorities. */
#include <stdbool.h>

#include "checks.h"
#include "grader/guarded.h"

enum { BACKGROUND, URGENT, PARTIES_OF_TWO, WAVES = 10, WORDS = 256 };

struct urgent_case {
    struct probe probes[PARTIES_OF_TWO];
    int priorities[PARTIES_OF_TWO];
    bool overlapped; /* background was still busy when urgent was queued */
    bool left_busy;  /* one of them was, when the function returned */
};

static cudaError_t queue_background(void *context, cudaStream_t stream)
{
    struct urgent_case *c = context;

    ledger_pause();
    cudaStreamGetPriority(stream, &c->priorities[BACKGROUND]);
    ledger_go_on();
    return queue_probe(&c->probes[BACKGROUND], stream);
}

static cudaError_t queue_urgent(void *context, cudaStream_t stream)
{
    struct urgent_case *c = context;

    ledger_pause();
    cudaStreamGetPriority(stream, &c->priorities[URGENT]);
    c->overlapped = is_busy(&c->probes[BACKGROUND]);
    ledger_go_on();
    return queue_probe(&c->probes[URGENT], stream);
}

static cudaError_t call_urgently(struct trial *t, struct urgent_case *c)
{
    urgently_function run = (urgently_function)trial_function(t);
    const struct stage background = {queue_background, c}, urgent = {queue_urgent, c};
    const cudaError_t status = run(background, urgent);

    ledger_pause();
    c->left_busy = is_surely_busy(&c->probes[BACKGROUND]) || is_surely_busy(&c->probes[URGENT]);
    ledger_go_on();
    return status;
}

static void expect_urgent_first(struct trial *t, const struct urgent_case *c)
{
    const int background = c->priorities[BACKGROUND], urgent = c->priorities[URGENT];
    const struct probe *slow = &c->probes[BACKGROUND], *fast = &c->probes[URGENT];
    int least = 0, greatest = 0;

    if (c->left_busy)
        trial_fail(t, WRONG_ANSWER, "not-waited-for",
            "the function returned while background or urgent was at work");
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (urgent > background)
        trial_fail(t, WRONG_ANSWER, "priority-backwards",
            "urgent ran with priority %d, background with %d: the lower number is the more urgent",
            urgent, background);
    if (urgent != greatest || background != least)
        trial_fail(t, WRONG_ANSWER, "priority-unused",
            "urgent ran with priority %d, background with %d; this device has %d to %d", urgent,
            background, greatest, least);
    if (slow->turn != 1 || !c->overlapped)
        trial_fail(
            t, WRONG_ANSWER, "urgent-waits", "background was not at work when urgent was queued");
    /* The virtual GPU runs one large kernel after the other. */
    if (!device_is_virtual() && greatest < least &&
        ns_between(fast->done, slow->done) < ns_between(slow->begun, slow->done) / 4)
        trial_fail(t, WRONG_ANSWER, "urgent-waits", "urgent was not done before background was");
    expect_no_handles_left(t);
}

void check_urgently(struct trial *t)
{
    if (!trial_begin(t, "background-and-urgent"))
        return;
    const size_t tried = trial_try_size(t), n = tried > 0 && tried < WORDS ? tried : WORDS;
    struct array *in = trial_input(t, "in", UINT32, n);
    struct array *out = trial_output(t, "out", UINT32, n);
    double want[WORDS];
    struct urgent_case c = {.probes = {[BACKGROUND] = {.waves = WAVES,
                                           .delay_ns = device_is_virtual() ? 50000 : 2000000},
                                [URGENT] = copying(out->device, in->device, n)}};

    fill_words(in->words, n, trial_seed(t));
    for (size_t i = 0; i < n; i++)
        want[i] = in->words[i];
    if (make_probes(t, c.probes, PARTIES_OF_TWO) && TRIAL_CALL(t, call_urgently(t, &c))) {
        trial_expect(t, &(struct expectation){.output = out, .want = want});
        if (!c.overlapped && !device_is_virtual()) { /* the host may have been slow */
            turns = 0;
            c.probes[BACKGROUND].waves *= PATIENCE;
            TRIAL_CALL(t, call_urgently(t, &c));
        }
        if (tried == 0)
            expect_urgent_first(t, &c);
    }
    free_probes(c.probes, PARTIES_OF_TWO);
    trial_end(t);
}
