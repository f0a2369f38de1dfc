/* See rt_hazard.h. */
#include "rt_hazard.h"

#include "rt_report.h"

#include <stdlib.h>
#include <string.h>

enum { RECORDS_MAX = 128, REPORTED_MAX = 64, QUEUE_LOOK_MAX = 256, NAME_BYTES = 88 };

struct ranges {
    struct engine_range *at;
    size_t count;
};

/* An operation that ran and that others, not ordered with it, may still meet. */
struct record {
    struct rt_op *op; /* a reference */
    char name[NAME_BYTES];
    struct ranges touched[ENGINE_TOUCH_KINDS];
};

static struct record records[RECORDS_MAX]; /* the oldest first */
static size_t record_count;

/* ---- what an operation touched --------------------------------------------------------------- */

/* Joins the last range where it can: rows without gaps are one. */
static void add_bytes(struct ranges *to, uintptr_t address, size_t bytes)
{
    const struct allocation *found = memory_find(address);
    if (found == NULL || to->count == ENGINE_RANGES_MAX)
        return;
    const uint64_t first = found->shadow_offset + (address - found->address);
    if (to->count > 0 && to->at[to->count - 1].end == first) {
        to->at[to->count - 1].end += bytes;
        return;
    }
    struct engine_range *grown = realloc(to->at, (to->count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    to->at = grown;
    to->at[to->count++] = (struct engine_range){first, first + bytes, "", 0};
}

static void add_region(struct ranges *to, const struct rt_copy_work *copy, bool is_target)
{
    const uintptr_t start = is_target ? copy->target : copy->source;
    const size_t pitch = is_target ? copy->target_pitch : copy->source_pitch;
    const size_t slice = is_target ? copy->target_slice : copy->source_slice;
    for (size_t z = 0; z < copy->slices; z++)
        for (size_t y = 0; y < copy->rows; y++)
            add_bytes(to, start + z * slice + y * pitch, copy->width);
}

static void take_kernel(struct record *record)
{
    engine_look_at_touched();
    for (int kind = 0; kind < ENGINE_TOUCH_KINDS; kind++) {
        const struct engine_range *from;
        const size_t count = engine_touched(kind, &from);
        if (count == 0 || (record->touched[kind].at = malloc(count * sizeof *from)) == NULL)
            continue;
        memcpy(record->touched[kind].at, from, count * sizeof *from);
        record->touched[kind].count = count;
    }
}

static void take_copy(struct record *record)
{
    const struct rt_copy_work *copy = &record->op->work.copy;
    if (copy->staged == NULL)
        add_region(&record->touched[ENGINE_READS], copy, false);
    add_region(&record->touched[ENGINE_WRITES], copy, true);
}

static void take_fill(struct record *record)
{
    const struct rt_fill_work *fill = &record->op->work.fill;
    for (size_t z = 0; z < fill->slices; z++)
        for (size_t y = 0; y < fill->rows; y++)
            add_bytes(&record->touched[ENGINE_WRITES],
                fill->target + z * fill->slice + y * fill->pitch, fill->width);
}

static void (*const takers[WORK_KINDS])(struct record *) = {
    [WORK_KERNEL] = take_kernel,
    [WORK_COPY] = take_copy,
    [WORK_FILL] = take_fill,
};

static void drop(struct record *record)
{
    for (int kind = 0; kind < ENGINE_TOUCH_KINDS; kind++)
        free(record->touched[kind].at);
    rt_op_release(record->op);
}

static void drop_oldest(void)
{
    drop(&records[0]);
    memmove(records, records + 1, --record_count * sizeof records[0]);
}

/* ---- who did it ------------------------------------------------------------------------------ */

static void name_of(const struct rt_op *op, char *text, size_t size)
{
    char stream[48] = "the default stream";
    if (op->stream_kind == STREAM_PER_THREAD)
        snprintf(stream, sizeof stream, "a thread's default stream");
    else if (op->stream_kind == STREAM_CREATED)
        snprintf(stream, sizeof stream, "stream %llu", op->stream_number);
    const char *what = op->call;
    if (op->work.kind == WORK_KERNEL)
        what = rt_kernel_name(op->work.kernel.function, op->device);
    else if (op->in_graph)
        what = op->work.kind == WORK_COPY ? "a copy" : "a fill";
    snprintf(text, size, "%s in %s%s", what, op->in_graph ? "a graph launched into " : "", stream);
}

/* ---- overlaps -------------------------------------------------------------------------------- */

struct overlap {
    uint64_t first, bytes;
    const struct engine_range *a, *b;
};

static bool find_overlap(const struct ranges *a, const struct ranges *b, struct overlap *overlap)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        const struct engine_range *x = &a->at[i], *y = &b->at[j];
        const uint64_t first = x->first > y->first ? x->first : y->first;
        const uint64_t end = x->end < y->end ? x->end : y->end;
        if (first < end) {
            *overlap = (struct overlap){first, end - first, x, y};
            return true;
        }
        if (x->end <= y->end)
            i++;
        else
            j++;
    }
    return false;
}

static bool is_write(enum engine_touch kind)
{
    return kind == ENGINE_WRITES || kind == ENGINE_WRITES_STRONGLY;
}

static bool is_strong(enum engine_touch kind)
{
    return kind == ENGINE_READS_STRONGLY || kind == ENGINE_WRITES_STRONGLY;
}

/* Two kernels that talk through atomic or volatile words may order themselves. */
static bool talk(const struct record *a, const struct record *b)
{
    struct overlap unused;
    const struct ranges *x = a->touched, *y = b->touched;
    return find_overlap(&x[ENGINE_WRITES_STRONGLY], &y[ENGINE_READS_STRONGLY], &unused) ||
           find_overlap(&x[ENGINE_READS_STRONGLY], &y[ENGINE_WRITES_STRONGLY], &unused) ||
           find_overlap(&x[ENGINE_WRITES_STRONGLY], &y[ENGINE_WRITES_STRONGLY], &unused);
}

/* ---- reporting ------------------------------------------------------------------------------- */

static char reported[REPORTED_MAX][2 * NAME_BYTES + 32];
static size_t reported_count;

/* The same two calls meet in every round of a loop: once is enough. */
static bool is_new(const char *a, uint32_t a_line, const char *b, uint32_t b_line)
{
    char key[sizeof reported[0]];
    const bool swapped = strcmp(a, b) > 0;
    snprintf(key, sizeof key, "%s:%u %s:%u", swapped ? b : a, swapped ? b_line : a_line,
        swapped ? a : b, swapped ? a_line : b_line);
    for (size_t i = 0; i < reported_count; i++)
        if (strcmp(reported[i], key) == 0)
            return false;
    if (reported_count == REPORTED_MAX)
        return false;
    memcpy(reported[reported_count++], key, sizeof key);
    return true;
}

/* "bytes 0 to 4095 of allocation #3" */
static void describe(const struct overlap *overlap, char *text, size_t size)
{
    const uint64_t last = overlap->first + overlap->bytes - 1;
    for (const struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at))
        if (overlap->first - at->shadow_offset < at->size) {
            snprintf(text, size, "bytes %llu to %llu of %s",
                (unsigned long long)(overlap->first - at->shadow_offset),
                (unsigned long long)(last - at->shadow_offset), at->name);
            return;
        }
    snprintf(text, size, "%llu bytes of memory", (unsigned long long)overlap->bytes);
}

static void with_line(const struct record *record, uint32_t line, char *text, size_t size)
{
    char place[20] = "";
    if (line != 0)
        snprintf(place, sizeof place, " (line %u)", line);
    snprintf(text, size, "%s%s", record->name, place);
}

static void report(const struct record *a, bool a_writes, const struct record *b, bool b_writes,
    const struct overlap *overlap)
{
    if (!is_new(a->name, overlap->a->line, b->name, overlap->b->line))
        return;
    struct engine_finding finding = {.kind = FINDING_HOST, .severity = SEVERITY_ERROR, .count = 1};
    char who[NAME_BYTES + 20], other[NAME_BYTES + 20], what[128];
    with_line(a, overlap->a->line, who, sizeof who);
    with_line(b, overlap->b->line, other, sizeof other);
    describe(overlap, what, sizeof what);
    const bool in_one_graph = a->op->in_graph && b->op->in_graph;
    snprintf(finding.message, sizeof finding.message,
        "Race between streams: %s %s %s, which %s %s, and nothing orders the two. %s", who,
        a_writes ? "writes" : "reads", what, other, b_writes ? "writes" : "reads",
        in_one_graph ? "A dependency must lead from one node to the other."
                     : "One stream must wait for an event of the other, or the host between them.");
    const bool known = overlap->a->line != 0;
    const struct engine_range *first = known ? overlap->a : overlap->b;
    const struct engine_range *second = known ? overlap->b : overlap->a;
    snprintf(finding.file, sizeof finding.file, "%s", first->file);
    finding.line = first->line;
    snprintf(finding.other_file, sizeof finding.other_file, "%s", second->file);
    finding.other_line = second->line;
    rt_add_finding("stream-race", &finding);
}

/* `a` was submitted first. */
static void compare(const struct record *a, const struct record *b)
{
    struct overlap overlap;
    if (talk(a, b))
        return;
    for (int x = 0; x < ENGINE_TOUCH_KINDS; x++)
        for (int y = 0; y < ENGINE_TOUCH_KINDS; y++)
            if ((is_write(x) || is_write(y)) && !(is_strong(x) && is_strong(y)) &&
                find_overlap(&a->touched[x], &b->touched[y], &overlap)) {
                report(a, is_write(x), b, is_write(y), &overlap);
                return;
            }
}

/* ---- when it is worth while ------------------------------------------------------------------ */

static bool has_company(const struct rt_op *op, bool seen_soon)
{
    if (rt_order_is_total())
        return false;
    if (!seen_soon)
        return true;
    for (size_t i = 0; i < record_count; i++)
        if (!rt_order_known(records[i].op, op))
            return true;
    size_t looked = 0;
    for (const struct rt_op *at = rt_queue_oldest(); at != NULL; at = at->newer)
        if (at != op && (takers[at->work.kind] != NULL && !rt_order_known(at, op)))
            return true;
        else if (++looked == QUEUE_LOOK_MAX)
            return true;
    return false;
}

void rt_hazard_look(struct rt_op *op, bool seen_soon)
{
    if (takers[op->work.kind] == NULL || op->outcome.error != cudaSuccess ||
        !engine_settings.check_races || op->clock.chain == RT_NO_CHAIN ||
        !has_company(op, seen_soon))
        return;
    if (record_count == RECORDS_MAX)
        drop_oldest();
    struct record *record = &records[record_count++];
    *record = (struct record){.op = rt_op_hold(op)};
    name_of(op, record->name, sizeof record->name);
    takers[op->work.kind](record);
    for (size_t i = 0; i + 1 < record_count; i++) {
        const struct record *other = &records[i];
        if (rt_order_known(other->op, op))
            continue;
        const bool other_first = other->op->sequence < op->sequence;
        compare(other_first ? other : record, other_first ? record : other);
    }
}

void rt_hazard_forget_past(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < record_count; i++)
        if (rt_order_host_knows(records[i].op))
            drop(&records[i]);
        else
            records[kept++] = records[i];
    record_count = kept;
}

void rt_hazard_forget_all(void)
{
    while (record_count > 0)
        drop(&records[--record_count]);
}

void rt_hazard_forget_reported(void)
{
    reported_count = 0;
}
