/* See touch.h. */
#include "touch.h"

#include <stdlib.h>

#include "race.h"

uint32_t touch_stamp;

static struct {
    uint32_t *pages; /* touched by the latest launch, in the order of first touch */
    size_t count, capacity;
    const struct kernel_code *kernel;
    uint64_t begin; /* race words below are of earlier launches */
} latest;

void touch_launch_begin(const struct launch *launch)
{
    touch_stamp += 4;
    if (touch_stamp == 0) {
        shadow_forget_pages();
        touch_stamp = 4;
    }
    latest.count = 0;
    latest.kernel = launch->kernel;
    latest.begin = (uint64_t)launch->begin_segment << RACE_SEGMENT_SHIFT;
}

/* Managed memory moves 64 KiB at a time. */
static bool touch_managed(
    const struct allocation *allocation, uint64_t page, uint32_t kinds, bool also)
{
    const uint64_t unit = 65536 >> TOUCH_PAGE_SHIFT, first = page / unit * unit;
    uint32_t before = 0;
    for (uint64_t at = first; at < first + unit; at++)
        if ((shadow_pages[at] & ~3u) == touch_stamp)
            before |= shadow_pages[at] & 3;
    if ((kinds & ~before) == 0 || engine_hooks.managed_page == NULL)
        return false;
    engine_hooks.managed_page(
        allocation->address + ((first << TOUCH_PAGE_SHIFT) - allocation->shadow_offset),
        (kinds & TOUCH_WRITE) != 0, also);
    return true;
}

bool touch_page(const struct allocation *allocation, uint64_t page, uint32_t kinds, bool also)
{
    const bool told =
        allocation->kind == MEMORY_MANAGED && touch_managed(allocation, page, kinds, also);
    if ((shadow_pages[page] & ~3u) == touch_stamp) {
        shadow_pages[page] |= kinds;
        return told;
    }
    shadow_pages[page] = touch_stamp | kinds;
    GROW(latest.pages, latest.count, latest.capacity);
    latest.pages[latest.count++] = (uint32_t)page;
    return told;
}

void engine_page_left(uint64_t address)
{
    const struct allocation *allocation = memory_find(address);
    if (allocation == NULL)
        return;
    const uint64_t first =
        (allocation->shadow_offset + (address - allocation->address)) >> TOUCH_PAGE_SHIFT;
    for (uint64_t page = first; page < first + (65536 >> TOUCH_PAGE_SHIFT); page++)
        shadow_pages[page] = 0;
}

/* ---- what the latest launch touched ---------------------------------------------------------- */

static struct {
    struct engine_range *ranges;
    size_t count, capacity;
} found[ENGINE_TOUCH_KINDS];

static const char *file_name(uint32_t number)
{
    const struct ptx_module *ptx = latest.kernel->ptx;
    const char *file = number < ptx->file_count ? ptx->files[number] : NULL;
    return file == NULL || ptx_is_toolkit_file(file) ? "" : file;
}

static void add(enum engine_touch kind, uint64_t first, uint64_t bytes, uint64_t word)
{
    const uint32_t index = (uint32_t)(word >> RACE_INSN_SHIFT & 65535);
    const struct insn *insn =
        index < latest.kernel->index_count ? latest.kernel->by_index[index] : NULL;
    const uint32_t line = insn == NULL ? 0 : insn->line;
    const char *file = insn == NULL ? "" : file_name(insn->file);
    struct engine_range *last =
        found[kind].count == 0 ? NULL : &found[kind].ranges[found[kind].count - 1];
    if (last != NULL && first < last->end)
        return; /* a byte of a word that counts as a whole */
    if (last != NULL && last->end == first) {
        last->end += bytes;
        if (last->line != line || last->file != file)
            last->line = 0;
        return;
    }
    if (found[kind].count == ENGINE_RANGES_MAX)
        return;
    GROW(found[kind].ranges, found[kind].count, found[kind].capacity);
    found[kind].ranges[found[kind].count++] =
        (struct engine_range){first, first + bytes, file, line};
}

/* One race word: of 4 bytes, or of one. */
static void look_at(uint64_t first, uint64_t bytes, uint64_t word, bool is_writer)
{
    if (word < latest.begin || (word & RACE_WHOLE) == 0)
        return;
    const bool strong = (word & RACE_STRONG) != 0;
    add(is_writer ? (strong ? ENGINE_WRITES_STRONGLY : ENGINE_WRITES)
                  : (strong ? ENGINE_READS_STRONGLY : ENGINE_READS),
        first, bytes, word);
}

static void look_at_word(uint64_t word)
{
    const uint64_t writer = shadow_writer[word], reader = shadow_reader[word];
    look_at(4 * word, 4, writer, true);
    look_at(4 * word, 4, reader, false);
    if (((writer >= latest.begin ? writer : 0) | (reader >= latest.begin ? reader : 0)) &
        RACE_SPLIT) {
        const uint64_t *bytes = shadow_race_bytes(word);
        for (uint32_t b = 0; b < 8; b++)
            look_at(4 * word + b % 4, 1, bytes[b], b < 4);
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

void engine_look_at_touched(void)
{
    enum { WORDS = 1 << (TOUCH_PAGE_SHIFT - 2) };
    for (int kind = 0; kind < ENGINE_TOUCH_KINDS; kind++)
        found[kind].count = 0;
    if (latest.count > 1)
        qsort(latest.pages, latest.count, sizeof *latest.pages, by_number);
    for (size_t i = 0; i < latest.count; i++)
        for (uint64_t word = 0; word < WORDS; word++)
            look_at_word((uint64_t)latest.pages[i] * WORDS + word);
}

size_t engine_touched(enum engine_touch kind, const struct engine_range **ranges)
{
    *ranges = found[kind].ranges;
    return found[kind].count;
}
