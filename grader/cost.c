/* Counter gates: from the counts of a call to INEFFICIENT, with the line that costs most. */
#include "cost.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial_state.h"
#include "virtual_calls.h"

enum { LINES_MAX = 4096 };

double counted_sectors(const struct vgpu_counters *made)
{
    return counted_load_sectors(made) + (double)made->global_store_sectors;
}

double counted_sectors_ideal(const struct vgpu_counters *made)
{
    return counted_load_sectors_ideal(made) + (double)made->global_store_sectors_ideal;
}

double counted_load_sectors(const struct vgpu_counters *made)
{
    return (double)(made->global_load_sectors + made->global_copy_sectors);
}

double counted_load_sectors_ideal(const struct vgpu_counters *made)
{
    return (double)(made->global_load_sectors_ideal + made->global_copy_sectors_ideal);
}

double counted_load_requests(const struct vgpu_counters *made)
{
    return (double)(made->global_load_requests + made->global_copy_requests);
}

double counted_requests(const struct vgpu_counters *made)
{
    return counted_load_requests(made) + (double)made->global_store_requests;
}

double counted_load_bytes(const struct vgpu_counters *made)
{
    return (double)(made->global_load_bytes + made->global_copy_bytes);
}

double counted_bytes(const struct vgpu_counters *made)
{
    return counted_load_bytes(made) + (double)made->global_store_bytes;
}

double counted_atomics(const struct vgpu_counters *made)
{
    return (double)made->global_atomic_lanes;
}

const struct cost_gate coalesced = {
    .diagnosis = "uncoalesced",
    .what = "sectors moved for each that the bytes fill",
    .cost = counted_sectors,
    .per = counted_sectors_ideal,
    .most = 1.3,
};

const struct cost_gate not_scattered = {
    .diagnosis = "uncoalesced",
    .what = "sectors moved for each that the bytes fill",
    .cost = counted_sectors,
    .per = counted_sectors_ideal,
    .most = 3,
};

const struct vgpu_counters *trial_counters(const struct trial *trial)
{
    return trial->counted ? &trial->counters : NULL;
}

void trial_inefficient(struct trial *trial, const char *diagnosis, const char *text, ...)
{
    struct outcome *outcome = trial->outcome;
    va_list arguments;

    if (outcome->efficiency != PASS)
        return;
    outcome->efficiency = INEFFICIENT;
    snprintf(outcome->efficiency_diagnosis, sizeof outcome->efficiency_diagnosis, "%s", diagnosis);
    snprintf(outcome->efficiency_cause, sizeof outcome->efficiency_cause, "%s",
        diagnosis_cause(diagnosis, trial->task->diagnoses));
    trial_case_id(trial, outcome->efficiency_case_id, sizeof outcome->efficiency_case_id);
    va_start(arguments, text);
    vsnprintf(outcome->efficiency_text, sizeof outcome->efficiency_text, text, arguments);
    va_end(arguments);
}

/* What the report shows of a gate is its worst case. */
static void keep_cost(struct outcome *outcome, const struct cost_gate *gate, double value)
{
    for (size_t i = 0; i < COSTS_KEPT; i++) {
        struct cost *cost = &outcome->costs[i];
        const bool same = strcmp(cost->what, gate->what) == 0;
        if (cost->what[0] && !same)
            continue;
        if (!same || value > cost->value)
            cost->value = value;
        snprintf(cost->what, sizeof cost->what, "%s", gate->what);
        cost->most = gate->most;
        return;
    }
}

/* How far a line, or all of them, is beyond the gate. */
static double excess(const struct cost_gate *gate, const struct vgpu_counters *made)
{
    return gate->cost(made) - (gate->per ? gate->most * gate->per(made) : 0.0);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "; most at stencil.cu:57" for the line that exceeds the gate most, or "". */
static void name_worst_line(const struct cost_gate *gate, char *text, size_t bytes)
{
    struct vgpu_line *lines = calloc(LINES_MAX, sizeof *lines);
    const struct vgpu_line *worst = NULL;
    size_t count = 0;

    *text = '\0';
    if (lines && virtual_calls()->lines)
        count = virtual_calls()->lines(lines, LINES_MAX);
    for (size_t i = 0; i < count && i < LINES_MAX; i++) {
        const double beyond = excess(gate, &lines[i].counters);
        if (lines[i].line > 0 && beyond > 0 && (!worst || beyond > excess(gate, &worst->counters)))
            worst = &lines[i];
    }
    if (worst)
        snprintf(text, bytes, "; most at %.80s:%u", base_name(worst->file), worst->line);
    free(lines);
}

void trial_expect_cost(struct trial *trial, const struct cost_gate *gate, double per)
{
    char line[100];

    if (!trial->counted || !trial_healthy(trial))
        return;
    const double divisor = gate->per ? gate->per(&trial->counters) : per;
    if (divisor <= 0)
        return;
    const double value = gate->cost(&trial->counters) / divisor;
    keep_cost(trial->outcome, gate, value);
    if (value <= gate->most)
        return;
    name_worst_line(gate, line, sizeof line);
    trial_inefficient(
        trial, gate->diagnosis, "%s: %.4g (at most %.4g)%s", gate->what, value, gate->most, line);
}
