/* Device memory: arena, allocation table, shadows.  See memory.h for the
 * contract. */
#define _GNU_SOURCE
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bitmap.h"
#include "shadow.h"

uint8_t *shadow_initialised;
uint8_t *shadow_by_device;
uint64_t *shadow_writer;
uint64_t *shadow_reader;
uint32_t *shadow_sectors;
uint32_t *shadow_pages;

enum {
    JUNK = 0xA7,
    RED_ZONE_BYTES = 256, /* between neighbours, so that a small overrun hits nothing */
    PAGE_BYTES = 4096,
    MANAGED_PAGE_BYTES = 65536,
    QUARANTINE_ENTRIES = 1024,
    NEAREST_BYTES = 1 << 20,
};
#define MIB ((size_t)1 << 20)
/* Addresses are plentiful; the pages behind a large freed block go back at
 * once. */
static const size_t quarantine_bytes_max = 2048 * MIB;
static const size_t discard_bytes_min = 1 * MIB;
static const size_t junk_bytes_max = 64 * MIB; /* larger blocks read as zeros until written */

struct range {
    uint64_t offset, size;
};

static struct {
    uint64_t base; /* device view */
    uint8_t *alias;
    size_t size, used;         /* `used` bytes were handed out at least once */
    struct allocation **table; /* live and quarantined, by address */
    size_t count, capacity;
    struct range *holes; /* returned by the quarantine, by offset */
    size_t hole_count, hole_capacity;
    struct allocation **quarantine; /* oldest first, a ring */
    size_t quarantine_first, quarantine_count, quarantine_bytes;
    uint64_t next_id;
} arena;

static void *must_grow(void *old, size_t bytes)
{
    void *grown = realloc(old, bytes);
    if (grown == NULL) {
        fprintf(stderr, "virtual GPU: out of host memory\n");
        abort();
    }
    return grown;
}

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* ---- the arena
 * -------------------------------------------------------------------------------
 */

static void *reserve(size_t bytes)
{
    void *memory = mmap(
        NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void release(void *memory, size_t bytes)
{
    if (memory != NULL && memory != MAP_FAILED)
        munmap(memory, bytes);
}

/* Maps both views and all shadows, or nothing. */
static bool map_arena(size_t size)
{
    int file = memfd_create("virtual-gpu-memory", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)size) != 0) {
        if (file >= 0)
            close(file);
        return false;
    }
    void *view = mmap(NULL, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
    void *alias = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    shadow_initialised = reserve(size / 8);
    shadow_by_device = reserve(size / 8);
    shadow_writer = reserve(size / 4 * sizeof *shadow_writer);
    shadow_reader = reserve(size / 4 * sizeof *shadow_reader);
    shadow_sectors = reserve(size / 32 * sizeof *shadow_sectors);
    shadow_pages = reserve(size / PAGE_BYTES * sizeof *shadow_pages);
    if (view == MAP_FAILED || alias == MAP_FAILED || shadow_initialised == NULL ||
        shadow_by_device == NULL || shadow_writer == NULL || shadow_reader == NULL ||
        shadow_sectors == NULL || shadow_pages == NULL) {
        release(view, size);
        release(alias, size);
        release(shadow_initialised, size / 8);
        release(shadow_by_device, size / 8);
        release(shadow_writer, size / 4 * sizeof *shadow_writer);
        release(shadow_reader, size / 4 * sizeof *shadow_reader);
        release(shadow_sectors, size / 32 * sizeof *shadow_sectors);
        release(shadow_pages, size / PAGE_BYTES * sizeof *shadow_pages);
        return false;
    }
    arena.base = (uint64_t)(uintptr_t)view;
    arena.alias = alias;
    arena.size = size;
    return true;
}

/* Asked for once: a second try, inside a program with limits on files, would end by a signal. */
bool memory_init(void)
{
    static bool refused;

    if (arena.size != 0 || refused)
        return !refused;
    const char *wish = getenv("VGPU_ARENA_MIB");
    size_t size = (wish != NULL && atoll(wish) > 0 ? (size_t)atoll(wish) : 16384) * MIB;
    while (!map_arena(size)) {
        size /= 2;
        if (size < 256 * MIB) {
            fprintf(stderr, "virtual GPU: the system refuses 256 MiB of address space\n");
            refused = true;
            return false;
        }
    }
    arena.quarantine = must_grow(NULL, QUARANTINE_ENTRIES * sizeof *arena.quarantine);
    return true;
}

/* Few programs touch single bytes, so their race words come in pages, when they
 * are needed. */
enum { BYTE_PAGE_WORDS = 16384 };
static uint64_t **byte_pages;

uint64_t *shadow_race_bytes(uint64_t word)
{
    if (byte_pages == NULL)
        byte_pages = calloc(arena.size / 4 / BYTE_PAGE_WORDS + 1, sizeof *byte_pages);
    if (byte_pages == NULL)
        abort();
    uint64_t **page = &byte_pages[word / BYTE_PAGE_WORDS];
    if (*page == NULL)
        *page = calloc(BYTE_PAGE_WORDS, 8 * sizeof **page);
    if (*page == NULL)
        abort();
    return *page + word % BYTE_PAGE_WORDS * 8;
}

void shadow_forget_races(void)
{
    /* Dropping the pages is cheaper than clearing them, and they read as zeros
   * again. */
    madvise(shadow_writer, arena.size / 4 * sizeof *shadow_writer, MADV_DONTNEED);
    madvise(shadow_reader, arena.size / 4 * sizeof *shadow_reader, MADV_DONTNEED);
    for (size_t i = 0; byte_pages != NULL && i < arena.size / 4 / BYTE_PAGE_WORDS; i++) {
        free(byte_pages[i]);
        byte_pages[i] = NULL;
    }
}

void shadow_forget_pages(void)
{
    madvise(shadow_pages, arena.size / PAGE_BYTES * sizeof *shadow_pages, MADV_DONTNEED);
}

void shadow_forget_sectors(void)
{
    madvise(shadow_sectors, arena.size / 32 * sizeof *shadow_sectors, MADV_DONTNEED);
}

bool memory_in_arena(uint64_t address)
{
    return arena.size != 0 && address - arena.base < arena.size;
}

/* ---- the table
 * -------------------------------------------------------------------------------
 */

/* Number of entries that start at or before the address. */
static size_t entries_up_to(uint64_t address)
{
    size_t low = 0, high = arena.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (arena.table[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct allocation *allocation)
{
    if (arena.count == arena.capacity) {
        arena.capacity = arena.capacity == 0 ? 64 : arena.capacity * 2;
        arena.table = must_grow(arena.table, arena.capacity * sizeof *arena.table);
    }
    size_t at = entries_up_to(allocation->address);
    memmove(arena.table + at + 1, arena.table + at, (arena.count - at) * sizeof *arena.table);
    arena.table[at] = allocation;
    arena.count++;
    for (size_t i = at; i < arena.count; i++)
        arena.table[i]->position = (uint32_t)i;
}

static void take_out(struct allocation *allocation)
{
    size_t at = allocation->position;
    arena.count--;
    memmove(arena.table + at, arena.table + at + 1, (arena.count - at) * sizeof *arena.table);
    for (size_t i = at; i < arena.count; i++)
        arena.table[i]->position = (uint32_t)i;
}

struct allocation *memory_find(uint64_t address)
{
    size_t after = entries_up_to(address);
    if (after == 0)
        return NULL;
    struct allocation *candidate = arena.table[after - 1];
    bool inside = candidate->live && address - candidate->address < candidate->size;
    return inside ? candidate : NULL;
}

struct allocation *memory_nearest(uint64_t address, int64_t *distance)
{
    size_t after = entries_up_to(address);
    struct allocation *best = NULL;
    *distance = 0;
    if (after > 0) {
        struct allocation *before = arena.table[after - 1];
        uint64_t offset = address - before->address;
        if (offset < before->size)
            return before;
        if (offset - before->size < NEAREST_BYTES) {
            best = before;
            *distance = (int64_t)(offset - before->size) + 1;
        }
    }
    if (after < arena.count) {
        struct allocation *next = arena.table[after];
        int64_t gap = (int64_t)(next->address - address);
        if (gap < NEAREST_BYTES && (best == NULL || gap < *distance)) {
            best = next;
            *distance = -gap;
        }
    }
    return best;
}

struct allocation *memory_next(const struct allocation *previous)
{
    for (size_t i = previous == NULL ? 0 : previous->position + 1; i < arena.count; i++)
        if (arena.table[i]->live)
            return arena.table[i];
    return NULL;
}

bool memory_contains(uint64_t address, size_t size)
{
    const struct allocation *found = memory_find(address);
    return found != NULL && size <= found->size - (address - found->address);
}

void *memory_bytes(uint64_t address)
{
    if (memory_in_arena(address))
        return arena.alias + (address - arena.base);
    return (void *)(uintptr_t)address;
}

/* ---- address ranges
 * -------------------------------------------------------------------------- */

static void add_hole(uint64_t offset, uint64_t size)
{
    size_t at = 0;
    while (at < arena.hole_count && arena.holes[at].offset < offset)
        at++;
    bool joins_before = at > 0 && arena.holes[at - 1].offset + arena.holes[at - 1].size == offset;
    bool joins_after = at < arena.hole_count && offset + size == arena.holes[at].offset;
    if (joins_before) {
        arena.holes[at - 1].size += size;
        if (joins_after) {
            arena.holes[at - 1].size += arena.holes[at].size;
            arena.hole_count--;
            memmove(arena.holes + at, arena.holes + at + 1,
                (arena.hole_count - at) * sizeof *arena.holes);
        }
        return;
    }
    if (joins_after) {
        arena.holes[at].offset = offset;
        arena.holes[at].size += size;
        return;
    }
    if (arena.hole_count == arena.hole_capacity) {
        arena.hole_capacity = arena.hole_capacity == 0 ? 64 : arena.hole_capacity * 2;
        arena.holes = must_grow(arena.holes, arena.hole_capacity * sizeof *arena.holes);
    }
    memmove(arena.holes + at + 1, arena.holes + at, (arena.hole_count - at) * sizeof *arena.holes);
    arena.holes[at] = (struct range){offset, size};
    arena.hole_count++;
}

/* Takes `size` bytes from hole `at`, starting at `offset`, which lies inside
 * it. */
static void cut_hole(size_t at, uint64_t offset, uint64_t size)
{
    struct range hole = arena.holes[at];
    arena.hole_count--;
    memmove(arena.holes + at, arena.holes + at + 1, (arena.hole_count - at) * sizeof *arena.holes);
    if (offset > hole.offset)
        add_hole(hole.offset, offset - hole.offset);
    if (offset + size < hole.offset + hole.size)
        add_hole(offset + size, hole.offset + hole.size - offset - size);
}

/* First fit; UINT64_MAX when the arena is full. */
static uint64_t take_range(size_t size, size_t align)
{
    for (size_t i = 0; i < arena.hole_count; i++) {
        uint64_t offset = round_up(arena.holes[i].offset, align);
        if (offset + size <= arena.holes[i].offset + arena.holes[i].size) {
            cut_hole(i, offset, size);
            return offset;
        }
    }
    uint64_t offset = round_up(arena.used, align);
    if (size > arena.size || offset > arena.size - size)
        return UINT64_MAX;
    if (offset > arena.used)
        add_hole(arena.used, offset - arena.used);
    arena.used = offset + size;
    return offset;
}

static size_t reserved_size(const struct allocation *allocation)
{
    bool whole_pages = allocation->kind == MEMORY_MANAGED || allocation->kind == MEMORY_PINNED;
    size_t unit = allocation->kind == MEMORY_MANAGED ? MANAGED_PAGE_BYTES
                  : whole_pages                      ? PAGE_BYTES
                                                     : 256;
    return round_up(allocation->size, unit) + (whole_pages ? PAGE_BYTES : RED_ZONE_BYTES);
}

/* Host code may touch managed and pinned memory, and nothing else. */
static void open_to_host(const struct allocation *allocation, bool open)
{
    if (allocation->kind == MEMORY_MANAGED || allocation->kind == MEMORY_PINNED)
        mprotect((void *)(uintptr_t)allocation->address, round_up(allocation->size, PAGE_BYTES),
            open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

static void reset_shadow(const struct allocation *allocation)
{
    bitmap_fill(shadow_initialised, allocation->shadow_offset, allocation->size, false);
    bitmap_fill(shadow_by_device, allocation->shadow_offset, allocation->size, false);
}

/* ---- allocate and free
 * ----------------------------------------------------------------------- */

static struct allocation *new_entry(
    size_t size, enum memory_kind kind, int device, const char *name)
{
    struct allocation *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->size = size == 0 ? 1 : size;
    entry->kind = kind;
    entry->device = device;
    entry->live = true;
    entry->id = ++arena.next_id;
    if (name != NULL)
        snprintf(entry->name, sizeof entry->name, "%s", name);
    else
        snprintf(
            entry->name, sizeof entry->name, "allocation #%llu", (unsigned long long)entry->id);
    return entry;
}

/* speed: the race words of a large allocation come 2 MiB a page fault, where
 * the system allows it. */
static void use_large_pages(uint64_t *shadow, const struct allocation *entry)
{
    enum { LARGE_BYTES = 2 << 20 };
    uintptr_t first = (uintptr_t)&shadow[entry->shadow_offset / 4];
    uintptr_t end = first + entry->size / 4 * sizeof *shadow;
    first = (first + LARGE_BYTES - 1) & ~(uintptr_t)(LARGE_BYTES - 1);
    end &= ~(uintptr_t)(LARGE_BYTES - 1);
    if (first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

static void fill_with_junk(const struct allocation *entry, uint8_t *bytes)
{
    if (entry->size > junk_bytes_max)
        return;
#ifdef MADV_POPULATE_WRITE
    /* speed: all pages in one call, instead of a page fault each; older systems refuse. */
    const size_t inside = (size_t)(-(uintptr_t)bytes % PAGE_BYTES);
    if (entry->size >= discard_bytes_min)
        madvise(
            bytes + inside, (entry->size - inside) / PAGE_BYTES * PAGE_BYTES, MADV_POPULATE_WRITE);
#endif
    memset(bytes, JUNK, entry->size);
}

struct allocation *memory_allocate(
    size_t size, size_t align, enum memory_kind kind, int device, const char *name)
{
    if (!memory_init() || size > arena.size)
        return NULL;
    struct allocation *entry = new_entry(size, kind, device, name);
    if (entry == NULL)
        return NULL;
    if (align < 256)
        align = 256;
    if (kind == MEMORY_PINNED && align < PAGE_BYTES)
        align = PAGE_BYTES;
    if (kind == MEMORY_MANAGED && align < MANAGED_PAGE_BYTES)
        align = MANAGED_PAGE_BYTES;
    uint64_t offset = take_range(reserved_size(entry), align);
    if (offset == UINT64_MAX) {
        arena.next_id--;
        free(entry);
        return NULL;
    }
    entry->address = arena.base + offset;
    entry->bytes_delta = (intptr_t)arena.alias - (intptr_t)arena.base;
    entry->shadow_offset = offset;
    reset_shadow(entry);
    use_large_pages(shadow_writer, entry);
    use_large_pages(shadow_reader, entry);
    fill_with_junk(entry, arena.alias + offset);
    open_to_host(entry, true);
    insert(entry);
    return entry;
}

struct allocation *memory_register_host(void *pointer, size_t size)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    if (!memory_init() || size == 0 || size > arena.size || memory_in_arena(address))
        return NULL;
    size_t after = entries_up_to(address + size - 1);
    if (after > 0) {
        const struct allocation *before = arena.table[after - 1];
        if (before->live && before->address + before->size > address)
            return NULL;
    }
    struct allocation *entry = new_entry(size, MEMORY_REGISTERED, -1, NULL);
    if (entry == NULL)
        return NULL;
    /* Only the shadows of this range of the arena are used. */
    uint64_t offset = take_range(reserved_size(entry) + 256, 256);
    if (offset == UINT64_MAX) {
        free(entry);
        return NULL;
    }
    entry->address = address;
    entry->bytes_delta = 0;
    entry->shadow_offset = offset + address % 4;
    bitmap_fill(shadow_initialised, entry->shadow_offset, size, true);
    bitmap_fill(shadow_by_device, entry->shadow_offset, size, false);
    entry->all_initialised = true;
    insert(entry);
    return entry;
}

static void discard_pages(const struct allocation *entry)
{
    uint64_t offset = entry->address - arena.base;
    uint64_t first = round_up(offset, PAGE_BYTES);
    uint64_t last = (offset + reserved_size(entry)) / PAGE_BYTES * PAGE_BYTES;
    if (last > first)
        madvise(arena.alias + first, last - first, MADV_REMOVE);
}

/* Gives the addresses of the longest-freed allocation back. */
static void expel_oldest(void)
{
    struct allocation *entry = arena.quarantine[arena.quarantine_first];
    arena.quarantine_first = (arena.quarantine_first + 1) % QUARANTINE_ENTRIES;
    arena.quarantine_count--;
    arena.quarantine_bytes -= entry->size;
    take_out(entry);
    size_t reserved = reserved_size(entry);
    discard_pages(entry);
    uint64_t offset = entry->address - arena.base;
    add_hole(offset, reserved);
    free(entry);
}

enum memory_free_result memory_free(uint64_t address)
{
    size_t after = entries_up_to(address);
    if (after == 0 || arena.table[after - 1]->address != address)
        return MEMORY_NOT_AN_ALLOCATION;
    struct allocation *entry = arena.table[after - 1];
    if (!entry->live)
        return MEMORY_ALREADY_FREED;
    entry->live = false;
    if (entry->kind == MEMORY_REGISTERED) {
        take_out(entry);
        add_hole(entry->shadow_offset - address % 4, reserved_size(entry) + 256);
        free(entry);
        return MEMORY_FREED;
    }
    open_to_host(entry, false);
    if (entry->size >= discard_bytes_min)
        discard_pages(entry);
    if (arena.quarantine_count == QUARANTINE_ENTRIES)
        expel_oldest();
    size_t last = (arena.quarantine_first + arena.quarantine_count) % QUARANTINE_ENTRIES;
    arena.quarantine[last] = entry;
    arena.quarantine_count++;
    arena.quarantine_bytes += entry->size;
    while (arena.quarantine_bytes > quarantine_bytes_max && arena.quarantine_count > 0)
        expel_oldest();
    return MEMORY_FREED;
}

/* ---- initialisation
 * -------------------------------------------------------------------------- */

/* Cuts [address, size) to the allocation that contains its start; false when
 * there is none. */
static bool clip(uint64_t address, size_t *size, struct allocation **entry, uint64_t *first)
{
    *entry = memory_find(address);
    if (*entry == NULL)
        return false;
    uint64_t offset = address - (*entry)->address;
    if (*size > (*entry)->size - offset)
        *size = (*entry)->size - offset;
    *first = (*entry)->shadow_offset + offset;
    return true;
}

void memory_wrote(uint64_t address, size_t size, enum memory_writer writer)
{
    struct allocation *entry;
    uint64_t first;
    if (!clip(address, &size, &entry, &first))
        return;
    bool by_device = writer == WRITTEN_BY_DEVICE;
    bitmap_fill(shadow_initialised, first, size, true);
    bitmap_fill(shadow_by_device, first, size, by_device);
    const uint64_t start = address - entry->address;
    if (start <= entry->initialised_prefix && start + size > entry->initialised_prefix)
        entry->initialised_prefix = start + size;
    entry->all_initialised |= entry->initialised_prefix == entry->size;
    if (size == entry->size) {
        entry->all_initialised = true;
        entry->all_by_device = by_device;
    } else if (!by_device && size > 0) {
        entry->all_by_device = false;
    }
}

void memory_copied(uint64_t target, uint64_t source, size_t size)
{
    struct allocation *to, *from;
    uint64_t to_first, from_first;
    if (!clip(source, &size, &from, &from_first) || !clip(target, &size, &to, &to_first))
        return;
    bitmap_copy(shadow_initialised, to_first, from_first, size);
    bitmap_copy(shadow_by_device, to_first, from_first, size);
    to->all_initialised = to->all_initialised && from->all_initialised;
    if (!to->all_initialised)
        to->initialised_prefix = 0;
    to->all_by_device = false;
}

size_t memory_initialised(uint64_t address, size_t size)
{
    struct allocation *entry;
    uint64_t first;
    size_t clipped = size;
    if (!clip(address, &clipped, &entry, &first) || entry->all_initialised)
        return size;
    uint64_t bad = bitmap_first_not(shadow_initialised, first, clipped, true);
    return bad == clipped ? size : bad;
}

int memory_written_by(uint64_t address, size_t size)
{
    struct allocation *entry;
    uint64_t first;
    if (!clip(address, &size, &entry, &first) || size == 0)
        return WRITTEN_BY_NOBODY;
    int writers = WRITTEN_BY_NOBODY;
    if (!bitmap_all(shadow_by_device, first, size, false))
        writers |= WRITTEN_BY_DEVICE;
    /* Host bytes are those that are initialised and not the device's. */
    for (uint64_t i = 0; i < size;) {
        uint64_t by_device = bitmap_first_not(shadow_by_device, first + i, size - i, true);
        i += by_device;
        if (i == size)
            break;
        uint64_t others = bitmap_first_not(shadow_by_device, first + i, size - i, false);
        if (!bitmap_all(shadow_initialised, first + i, others, false))
            return writers | WRITTEN_BY_HOST;
        i += others;
    }
    return writers;
}
