/* A launch from start to end: which blocks run when, deadlocks, the result. See
 * engine.h. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "count.h"
#include "findings.h"
#include "kernel_time.h"
#include "module.h"

struct engine_settings engine_settings = {.check_memory = true,
    .check_initialisation = true,
    .check_races = true,
    .count = true,
    .time = true};
struct engine_hooks engine_hooks;

enum {
    STACK_BYTES = 16384, /* of a thread, when the kernel calls functions */
    RESIDENT_DEFAULT = 64,
    DEADLOCK_ROUNDS = 64, /* rounds without progress before it is called a deadlock */
    WORKSPACE_BYTES = 256,
};
static const uint64_t budget_default = 2000000000u;

/* ---- order
 * -----------------------------------------------------------------------------------
 */

static uint64_t random_next(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static void order_warps(struct launch *launch)
{
    uint32_t n = launch->block_warps;
    uint64_t order = engine_settings.order, state = order;
    launch->warp_order = must_realloc(NULL, (n + 1) * sizeof *launch->warp_order);
    for (uint32_t i = 0; i < n; i++)
        launch->warp_order[i] = order == 1 ? n - 1 - i : i;
    for (uint32_t i = n; order > 1 && i-- > 1;) {
        uint32_t other = (uint32_t)(random_next(&state) % (i + 1)), kept = launch->warp_order[i];
        launch->warp_order[i] = launch->warp_order[other];
        launch->warp_order[other] = kept;
    }
}

/* The n-th block to start.  A seed picks a step that visits every block once.
 */
static uint64_t nth_block(uint64_t n, uint64_t total)
{
    uint64_t order = engine_settings.order;
    if (order == 0)
        return n;
    if (order == 1)
        return total - 1 - n;
    uint64_t state = order, step = random_next(&state) % total, start = random_next(&state) % total;
    for (;; step++) {
        uint64_t a = step == 0 ? 1 : step, b = total;
        while (b != 0) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1 && step != 0)
            break;
        if (total == 1)
            return 0;
    }
    return (uint64_t)(((unsigned __int128)n * step + start) % total);
}

/* ---- access to allocations
 * ------------------------------------------------------------------- */

bool launch_may_access(struct launch *launch, struct allocation *a)
{
    if (a->kind == MEMORY_INTERNAL)
        return true;
    if (a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED)
        launch->time_unknown = "a kernel used memory of the host";
    else if (a->device >= 0 && a->device != launch->spec->device)
        launch->time_unknown = "a kernel used memory of another device";
    if (engine_hooks.may_access != NULL)
        return engine_hooks.may_access(launch->spec->device, a);
    return a->device < 0 || a->device == launch->spec->device;
}

/* ---- set-up
 * ----------------------------------------------------------------------------------
 */

/* Counters of the latest launch, by instruction, for engine_line_counters(). */
static struct {
    const struct engine_kernel *kernel;
    struct insn_counts *counts;
} latest;

void launch_forget(const struct engine_module *module)
{
    if (latest.kernel != NULL && latest.kernel->module == module)
        latest.kernel = NULL;
}

/* Warp instructions that a launch may execute; VGPU_BUDGET overrides the
 * default. */
static uint64_t budget(void)
{
    const char *wish = getenv("VGPU_BUDGET");
    return wish != NULL && atoll(wish) > 0 ? (uint64_t)atoll(wish) : budget_default;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* VGPU_LAUNCH_S: seconds that a launch may take; without it any number. */
static double launch_limit_s(void)
{
    const char *wish = getenv("VGPU_LAUNCH_S");
    return wish != NULL && atof(wish) > 0 ? atof(wish) : 0;
}

static void set_up(
    struct launch *launch, const struct engine_launch *spec, struct engine_result *result)
{
    struct engine_kernel *kernel = (struct engine_kernel *)(uintptr_t)spec->kernel;
    if (kernel->code == NULL)
        kernel->code = decode_kernel(
            kernel->module->program->ptx, kernel->function, kernel->module->addresses);
    *launch = (struct launch){.spec = spec,
        .kernel = kernel->code,
        .kernel_info = &kernel->info,
        .result = result,
        .params = spec->param_block,
        .param_bytes = kernel->info.param_bytes,
        .block_threads = spec->block[0] * spec->block[1] * spec->block[2],
        .block_total = (uint64_t)spec->grid[0] * spec->grid[1] * spec->grid[2],
        .check_memory = engine_settings.check_memory,
        .check_initialisation = engine_settings.check_initialisation,
        .check_races = engine_settings.check_races,
        .count = engine_settings.count};
    launch->block_warps = (launch->block_threads + WARP_LANES - 1) / WARP_LANES;
    launch->shared_bytes = kernel->code->static_shared_bytes;
    if (spec->dynamic_shared_bytes != 0)
        launch->shared_bytes = kernel->code->dynamic_shared_offset + spec->dynamic_shared_bytes;
    launch->local_bytes = kernel->code->programs[0]->local_bytes;
    launch->local_limit_bytes = launch->local_bytes + (kernel->code->uses_calls ? STACK_BYTES : 0);
    launch->budget = budget();
    if (launch_limit_s() > 0)
        launch->deadline_s = seconds_now() + launch_limit_s();
    size_t n = kernel->code->index_count + 1;
    launch->windows = calloc(n, sizeof *launch->windows);
    free(latest.counts);
    latest.kernel = kernel;
    latest.counts = launch->counts = calloc(n, sizeof *launch->counts);
    order_warps(launch);
    findings_launch_begin(launch);
    race_launch_begin(launch);
    count_launch_begin(launch);
    trace_begin(launch);
    if (spec->cooperative) {
        launch->workspace = memory_allocate(
            WORKSPACE_BYTES, 0, MEMORY_INTERNAL, spec->device, "grid-sync workspace");
        if (launch->workspace != NULL) {
            memset(memory_bytes(launch->workspace->address), 0, WORKSPACE_BYTES);
            memory_wrote(launch->workspace->address, WORKSPACE_BYTES, WRITTEN_BY_DEVICE);
        }
    }
}

/* Which allocations are complete now, so that the next launch need not look at
 * their bits. */
static void tear_down(struct launch *launch)
{
    if (launch->workspace != NULL)
        memory_free(launch->workspace->address);
    race_launch_end(launch);
    count_launch_end(launch);
    trace_end(launch);
    findings_launch_end(launch);
    while (launch->spare_frame_count > 0)
        free(launch->spare_frames[--launch->spare_frame_count]);
    free(launch->spare_frames);
    free(launch->windows);
    free(launch->warp_order);
}

/* ---- running
 * ---------------------------------------------------------------------------------
 */

struct schedule {
    struct block *spare[8]; /* blocks that ended: their memory is used again */
    uint32_t spare_count;
    uint64_t started;
};

static void admit(struct launch *launch, struct schedule *s)
{
    struct block *block = s->spare_count > 0 ? s->spare[--s->spare_count] : block_new(launch);
    block_start(block, nth_block(s->started++, launch->block_total));
    launch->resident[launch->in_flight++] = block;
    if (launch->in_flight > launch->result->resident_blocks_seen)
        launch->result->resident_blocks_seen = launch->in_flight;
}

static void retire(struct launch *launch, struct schedule *s, uint32_t at)
{
    struct block *block = launch->resident[at];
    launch->in_flight--;
    memmove(launch->resident + at, launch->resident + at + 1,
        (launch->in_flight - at) * sizeof *launch->resident);
    launch->result->blocks_run++;
    balance_block(launch, block);
    trace_block_end(block);
    if (s->spare_count < sizeof s->spare / sizeof s->spare[0])
        s->spare[s->spare_count++] = block;
    else
        block_free(block);
}

/* A group that cannot go on; one that spins tells more than those that wait for its block at a
 * barrier. NULL when there is none of the kind. */
static struct group *stuck_group(const struct launch *launch, bool spins, struct warp **warp)
{
    for (uint32_t b = 0; b < launch->in_flight; b++)
        for (uint32_t k = 0; k < launch->resident[b]->warp_count; k++) {
            *warp = &launch->resident[b]->warps[k];
            for (struct group *g = (*warp)->groups; g != NULL; g = g->next)
                if ((g->state == GROUP_READY) == spins)
                    return g;
        }
    return NULL;
}

/* The instruction, or the last one before it that has a line: jumps of the compiler have none. */
static const struct insn *placed_insn(const struct insn *code, uint32_t pc)
{
    for (uint32_t at = pc; at > 0; at--)
        if (code[at].line > 0)
            return &code[at];
    return &code[pc];
}

static void report_stuck(struct launch *launch, enum finding_kind kind)
{
    struct warp *w;
    struct group *g = stuck_group(launch, true, &w);
    if (g == NULL)
        g = stuck_group(launch, false, &w);
    if (g == NULL)
        return;
    const struct insn *i = placed_insn(g->activation->program->code, g->pc);
    uint32_t lane = (uint32_t)__builtin_ctz(g->mask);
    const char *why = g->state == GROUP_AT_BARRIER
                          ? "waits at this barrier for threads that never come"
                          : "waits in this loop for a value that nobody writes";
    if (kind == FINDING_HANG && launch->instructions <= launch->budget)
        finding_at(w, i, lane, kind, 0,
            "The kernel does not end: it was stopped here after %.3g s.", launch_limit_s());
    else if (kind == FINDING_HANG)
        finding_at(w, i, lane, kind, 0,
            "The kernel does not end: it was stopped here after %llu warp instructions.",
            (unsigned long long)launch->instructions);
    else
        finding_at(w, i, lane, kind, 0, "Deadlock: thread %s of block %s %s.",
            finding_thread_text(launch, thread_of(w, lane)),
            finding_block_text(launch, w->block->linear), why);
}

static void stop_stuck(struct launch *launch, enum finding_kind kind)
{
    report_stuck(launch, kind);
    launch_stop(launch, cudaErrorLaunchTimeout,
        kind == FINDING_HANG ? "the kernel did not end within its budget of instructions or time"
                             : "the kernel is deadlocked: no thread can go on");
}

static bool is_late(const struct launch *launch)
{
    return launch->deadline_s > 0 && seconds_now() > launch->deadline_s;
}

/* Blocks run one at a time; when those in flight only wait, the next one is
 * admitted. */
static void run_blocks(struct launch *launch)
{
    struct schedule s = {.spare_count = 0};
    uint64_t most = launch->spec->resident_blocks_max != 0 ? launch->spec->resident_blocks_max
                                                           : RESIDENT_DEFAULT;
    if (launch->spec->cooperative || most > launch->block_total)
        most = launch->block_total;
    launch->resident = must_realloc(NULL, (most + 1) * sizeof *launch->resident);
    while (launch->spec->cooperative && launch->in_flight < most)
        admit(launch, &s);
    uint32_t idle_rounds = 0;
    while (!launch->stop && (launch->in_flight > 0 || s.started < launch->block_total)) {
        if (launch->in_flight == 0)
            admit(launch, &s);
        bool moved = false;
        for (uint32_t b = 0; b < launch->in_flight && !launch->stop;) {
            moved |= block_round(launch->resident[b]);
            if (launch->resident[b]->is_done && !launch->stop) {
                retire(launch, &s, b);
                moved = true;
            } else {
                b++;
            }
        }
        idle_rounds = moved ? 0 : idle_rounds + 1;
        if (launch->instructions > launch->budget || is_late(launch))
            stop_stuck(launch, FINDING_HANG);
        else if (idle_rounds > 0 && s.started < launch->block_total && launch->in_flight < most) {
            launch->time_unknown = "blocks waited for other blocks";
            admit(launch, &s);
        } else if (idle_rounds > DEADLOCK_ROUNDS)
            stop_stuck(launch, FINDING_DEADLOCK);
    }
    while (launch->in_flight > 0)
        block_free(launch->resident[--launch->in_flight]);
    while (s.spare_count > 0)
        block_free(s.spare[--s.spare_count]);
    free(launch->resident);
}

cudaError_t engine_run(const struct engine_launch *spec, struct engine_result *result)
{
    struct launch launch;
    double start = seconds_now();
    memset(result, 0, sizeof *result);
    set_up(&launch, spec, result);
    run_blocks(&launch);
    count_launch(&launch, &result->counters);
    if (launch.trace != NULL)
        result->kernel_ns = kernel_time_ns(&launch, &result->bounds);
    /* Blocks run one after the other here, so the first one takes all that it can get. On a GPU they
     * come side by side, and share it. */
    if (launch.takes_again && balance_is_lopsided(&launch))
        launch.time_unknown = "blocks took their work from a counter";
    result->time_unknown = launch.time_unknown;
    tear_down(&launch);
    result->host_seconds = seconds_now() - start;
    return result->error;
}

/* ---- counters by line
 * ------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
    const struct engine_line_counters *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    return files != 0 ? files : (x->line > y->line) - (x->line < y->line);
}

size_t engine_line_counters(struct engine_line_counters *lines, size_t max)
{
    if (latest.kernel == NULL || latest.kernel->code == NULL)
        return 0;
    const struct kernel_code *code = latest.kernel->code;
    struct engine_line_counters *all = calloc(code->index_count + 1, sizeof *all);
    size_t count = 0;
    for (uint32_t k = 0; k < code->index_count; k++) {
        const struct insn *i = code->by_index[k];
        if (!i->is_counted || latest.counts[k].warps == 0)
            continue;
        const char *file = i->file < code->ptx->file_count ? code->ptx->files[i->file] : NULL;
        if (file == NULL)
            file = "";
        size_t at = 0;
        while (at < count && (all[at].line != i->line || strcmp(all[at].file, file) != 0))
            at++;
        if (at == count)
            all[count++] = (struct engine_line_counters){.file = file, .line = i->line};
        count_insn(i, &latest.counts[k], &all[at].counters);
    }
    qsort(all, count, sizeof *all, by_place);
    for (size_t k = 0; k < count && k < max; k++)
        lines[k] = all[k];
    free(all);
    return count;
}
