/* hw7.4: the limiter of a kernel, read from its record. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checks.h"

static const struct {
    const char *name;
    bool shown; /* in the README, with its verdict */
    struct kernel_metrics metrics;
} records[] = {
#include "../records/h200.inc"
    /* Made up: at the border, and with equals. */
    {"border-memory", false, {100, 60, 20, 30, 40, 0, 10, 0}},
    {"border-compute", false, {75, 30, 20, 10, 80, 0, 10, 0}},
    {"below-the-border", false, {75, 30, 20, 10, 79.5, 0, 10, 0}},
    {"equal-memory", false, {100, 70, 20, 70, 5, 0, 10, 0}},
    {"equal-both", false, {100, 20, 20, 65, 5, 0, 65, 0}},
    {"l2", false, {100, 50, 85, 40, 5, 0, 10, 0}},
    {"nothing", false, {0, 0, 0, 0, 0, 0, 0, 0}},
};

enum { RANDOM_RECORDS = 100, ALL_RECORDS = LENGTH(records) + RANDOM_RECORDS };

static const double border = 60;

/* The rule of the contract, or one that mistakes it. */
struct rule {
    const char *diagnosis;
    bool as_counted;   /* no common denominator */
    bool in_per_cent;  /* the share of time is taken to be 0 to 100 */
    bool memory_first; /* compute is asked only if memory is not at the border */
    bool above;        /* the border itself is not enough */
    bool last;         /* of equals the last */
    unsigned blind;    /* bit k: metric k is not looked at */
};

static struct named_limiter by_rule(const struct kernel_metrics *m, const struct rule *rule)
{
    const double share = rule->as_counted    ? 1
                         : rule->in_per_cent ? m->sm_active_elapsed
                                             : m->sm_active_elapsed / 100;
    const double elapsed[METRICS] = {m->dram_elapsed, m->l2_elapsed, m->l1_elapsed,
        m->fp32_active * share, m->fp64_active * share, m->integer_active * share,
        m->tensor_active * share};
    struct named_limiter named = {LATENCY_BOUND, METRICS, -1};

    for (enum metric k = 0; k < METRICS; k++) {
        if (rule->blind >> k & 1 || elapsed[k] < named.elapsed)
            continue;
        if (elapsed[k] == named.elapsed && !rule->last)
            continue;
        if (rule->memory_first && k >= METRIC_FP32 && named.metric < METRIC_FP32 &&
            named.elapsed >= border)
            break;
        named.metric = k;
        named.elapsed = elapsed[k];
    }
    if (rule->above ? named.elapsed > border : named.elapsed >= border)
        named.limiter = named.metric < METRIC_FP32 ? MEMORY_BOUND : COMPUTE_BOUND;
    return named;
}

static const struct rule contract = {.diagnosis = NULL};
static const struct rule mistaken_rules[] = {
    {"mixed-denominators", .as_counted = true},
    {"share-in-per-cent", .in_per_cent = true},
    {"last-of-equals", .last = true},
    {"memory-first", .memory_first = true},
    {"above-the-border", .above = true},
    {"one-metric", .blind = 1 << METRIC_L2 | 1 << METRIC_L1},
    {"one-metric", .blind = 1 << METRIC_FP64 | 1 << METRIC_INTEGER | 1 << METRIC_TENSOR},
    {"one-metric", .blind = (1 << METRICS) - 1 - (1 << METRIC_DRAM) - (1 << METRIC_FP32)},
};

static bool same_limiter(struct named_limiter a, struct named_limiter b)
{
    return a.limiter == b.limiter && a.metric == b.metric && fabs(a.elapsed - b.elapsed) <= 0.001;
}

/* A record as it stands in the README, so that it can be worked out by hand. */
static const char *describe_metrics(char *text, size_t bytes, const struct kernel_metrics *m)
{
    snprintf(text, bytes,
        "SMs %.2f; DRAM %.2f, L2 %.2f, L1 %.2f; FP32 %.2f, FP64 %.2f, integer %.2f, tensor %.2f",
        m->sm_active_elapsed, m->dram_elapsed, m->l2_elapsed, m->l1_elapsed, m->fp32_active,
        m->fp64_active, m->integer_active, m->tensor_active);
    return text;
}

static const char *describe_limiter(char *text, size_t bytes, struct named_limiter named)
{
    static const char *const limiters[] = {"memory bound", "compute bound", "latency bound"};
    static const char *const metrics[METRICS] = {
        "DRAM", "L2", "L1", "FP32", "FP64", "integer", "tensor"};

    snprintf(text, bytes, "%s, %s, %.2f %%",
        named.limiter <= LATENCY_BOUND ? limiters[named.limiter] : "no limiter",
        named.metric < METRICS ? metrics[named.metric] : "no metric", named.elapsed);
    return text;
}

/* Percentages with two decimals, and no verdict that hangs on a rounding. */
static struct kernel_metrics random_metrics(uint64_t seed)
{
    enum { COUNT = sizeof(struct kernel_metrics) / sizeof(double) };
    double values[COUNT];
    struct kernel_metrics m;

    for (size_t k = 0; k < COUNT; k++)
        values[k] = (double)(mix(seed, k) % (k == 0 ? 10001 : 8001)) / 100;
    m = (struct kernel_metrics){
        values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]};
    if (fabs(by_rule(&m, &contract).elapsed - border) < 0.01)
        m.dram_elapsed = 90;
    return m;
}

/* Every record once, in an order that the seed gives. */
static void order_records(size_t *order, uint64_t seed)
{
    for (size_t i = 0; i < ALL_RECORDS; i++) {
        const size_t other = (size_t)(mix(seed, i) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
}

/* The rule that would have given all these answers, or NULL. */
static const char *rule_of(
    const struct kernel_metrics *asked, const struct named_limiter *answers, size_t count)
{
    for (size_t k = 0; k < LENGTH(mistaken_rules); k++) {
        size_t same = 0;
        while (
            same < count && same_limiter(by_rule(&asked[same], &mistaken_rules[k]), answers[same]))
            same++;
        if (same == count)
            return mistaken_rules[k].diagnosis;
    }
    return NULL;
}

static bool ask_limiter(
    struct trial *t, const struct kernel_metrics *metrics, struct named_limiter *named)
{
    limiter_function name = (limiter_function)trial_function(t);
    const struct kernel_metrics given = *metrics;

    *named = (struct named_limiter){LATENCY_BOUND + 1, METRICS, NAN};
    return TRIAL_CALL(t, name(&given, named));
}

/* All are asked before any is judged: together the answers tell which rule was followed. */
static void try_records(struct trial *t)
{
    static struct kernel_metrics asked[ALL_RECORDS];
    static struct named_limiter answers[ALL_RECORDS];
    static size_t order[ALL_RECORDS];
    char got[80], expected[80], given[160];

    order_records(order, trial_seed(t));
    for (size_t i = 0; i < ALL_RECORDS; i++) {
        const size_t k = order[i];
        asked[k] =
            k < LENGTH(records) ? records[k].metrics : random_metrics(mix(trial_seed(t), ~k));
        if (!ask_limiter(t, &asked[k], &answers[k]))
            return;
    }
    for (size_t k = 0; k < ALL_RECORDS; k++) {
        const struct named_limiter want = by_rule(&asked[k], &contract);
        if (same_limiter(answers[k], want))
            continue;
        const char *rule = rule_of(asked, answers, ALL_RECORDS);
        trial_fail(t, WRONG_ANSWER, rule ? rule : "wrong-value", "%s: %s\ngot %s\nexpected %s",
            k < LENGTH(records) ? records[k].name : "a random record",
            describe_metrics(given, sizeof given, &asked[k]),
            describe_limiter(got, sizeof got, answers[k]),
            describe_limiter(expected, sizeof expected, want));
    }
}

static void show_records(struct trial *t)
{
    char got[80], expected[80];
    struct named_limiter named;

    trial_print(t, "%-17s%6s |%6s%6s%6s |%6s%6s%6s%6s\n", "", "SMs", "DRAM", "L2", "L1", "FP32",
        "FP64", "int", "tens");
    for (size_t k = 0; k < LENGTH(records); k++) {
        const struct kernel_metrics *m = &records[k].metrics;
        if (!records[k].shown || !ask_limiter(t, m, &named))
            continue;
        trial_print(t, "%-17s%6.2f |%6.2f%6.2f%6.2f |%6.2f%6.2f%6.2f%6.2f\n  got %s, expected %s\n",
            records[k].name, m->sm_active_elapsed, m->dram_elapsed, m->l2_elapsed, m->l1_elapsed,
            m->fp32_active, m->fp64_active, m->integer_active, m->tensor_active,
            describe_limiter(got, sizeof got, named),
            describe_limiter(expected, sizeof expected, by_rule(m, &contract)));
    }
}

void check_limiter(struct trial *t)
{
    if (!trial_begin(t, "records"))
        return;
    if (trial_try_size(t))
        show_records(t);
    else
        try_records(t);
    trial_end(t);
}
