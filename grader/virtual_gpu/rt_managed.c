/* Managed memory: where pages live and how they move. See rt_managed.h. */
#include "rt_managed.h"

#include "rt_memory.h"
#include "rt_queue.h"
#include "rt_managed_pages.h"

#include <stdlib.h>
#include <sys/mman.h>

static struct {
    uint64_t faults, moved_bytes;
    int launch_device;
    uint64_t launch_moved_bytes;
    bool launch_uses_afar;
    bool closed_for_queue;
} managed;

/* The pages of an allocation, made at their first use. NULL for memory that is not managed. */
static struct rt_managed_page *pages_of(struct allocation *allocation, size_t *count)
{
    struct rt_memory *memory =
        allocation == NULL || allocation->kind != MEMORY_MANAGED ? NULL : rt_memory_of(allocation);
    if (memory == NULL)
        return NULL;
    if (memory->pages == NULL) {
        memory->page_count = (allocation->size + MANAGED_PAGE_BYTES - 1) / MANAGED_PAGE_BYTES;
        memory->pages = calloc(memory->page_count, sizeof *memory->pages);
        for (size_t i = 0; memory->pages != NULL && i < memory->page_count; i++)
            memory->pages[i] = (struct rt_managed_page){
                .where = NOWHERE, .preferred = NOWHERE, .last_prefetch = NOWHERE};
    }
    *count = memory->page_count;
    return memory->pages;
}

bool rt_managed_find(uintptr_t address, size_t bytes, struct rt_managed_stretch *stretch)
{
    size_t count = 0;
    struct allocation *found = memory_find(address);
    struct rt_managed_page *pages = pages_of(found, &count);
    if (pages == NULL || bytes == 0 || bytes > found->size - (address - found->address))
        return false;
    const size_t offset = address - found->address;
    *stretch = (struct rt_managed_stretch){found, pages, offset / MANAGED_PAGE_BYTES,
        (offset + bytes + MANAGED_PAGE_BYTES - 1) / MANAGED_PAGE_BYTES};
    return true;
}

static void protect(const struct rt_managed_stretch *stretch, size_t page, bool closed)
{
    void *start = (void *)(uintptr_t)(stretch->allocation->address + page * MANAGED_PAGE_BYTES);
    if (stretch->pages[page].closed == closed)
        return;
    stretch->pages[page].closed = closed;
    mprotect(start, MANAGED_PAGE_BYTES, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Brings a page to `place`; returns the bytes that had to move. */
static size_t move(struct rt_managed_page *page, int place)
{
    const bool moves = page->where != NOWHERE && page->where != place;
    page->where = (int8_t)place;
    page->copies = 0;
    if (!moves)
        return 0;
    managed.moved_bytes += MANAGED_PAGE_BYTES;
    return MANAGED_PAGE_BYTES;
}

/* The least that lets `place` access the page. */
static size_t reach(struct rt_managed_page *page, int place, bool is_write)
{
    const bool mapped = (page->accessed_by & rt_place_bit(place)) != 0 ||
                        (page->preferred != NOWHERE && page->preferred == page->where);
    if (page->where == place || (!is_write && (page->copies & rt_place_bit(place)) != 0)) {
        if (is_write)
            page->copies = 0;
        return 0;
    }
    if (page->where != NOWHERE && page->read_mostly && !is_write) {
        page->copies |= rt_place_bit(place);
        managed.moved_bytes += MANAGED_PAGE_BYTES;
        return MANAGED_PAGE_BYTES;
    }
    if (page->where != NOWHERE && mapped) {
        managed.launch_uses_afar = true;
        return 0;
    }
    if (place != HOST)
        managed.faults++;
    return move(page, place);
}

size_t rt_managed_prefetch(uintptr_t address, size_t bytes, int device)
{
    struct rt_managed_stretch stretch;
    size_t moved = 0;
    if (!rt_managed_find(address, bytes, &stretch))
        return 0;
    for (size_t i = stretch.first; i < stretch.end; i++) {
        struct rt_managed_page *page = &stretch.pages[i];
        moved += page->read_mostly && page->where != NOWHERE ? reach(page, device, false)
                                                             : move(page, device);
        protect(&stretch, i, page->where != HOST && (page->copies & rt_place_bit(HOST)) == 0);
    }
    return moved;
}

void rt_managed_begin_launch(int device)
{
    managed.launch_device = device;
    managed.launch_moved_bytes = 0;
    managed.launch_uses_afar = false;
}

void rt_managed_touch(uint64_t address, bool is_write)
{
    struct rt_managed_stretch stretch;
    if (!rt_managed_find((uintptr_t)address, 1, &stretch))
        return;
    struct rt_managed_page *page = &stretch.pages[stretch.first];
    managed.launch_moved_bytes += reach(page, managed.launch_device, is_write);
    protect(&stretch, stretch.first, page->where != HOST);
}

uint64_t rt_managed_end_launch(void)
{
    if (managed.launch_uses_afar)
        rt_time_is_unknown("a kernel used managed memory where it was, over the link");
    return managed.launch_moved_bytes == 0
               ? 0
               : clock_transfer_ns(ROUTE_FAULTING, managed.launch_moved_bytes);
}

/* ---- the host's view ------------------------------------------------------------------------- */

static void for_all_pages(void (*act)(const struct rt_managed_stretch *, size_t page))
{
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at)) {
        size_t count = 0;
        struct rt_managed_stretch stretch = {at, NULL, 0, 0};
        stretch.pages = pages_of(at, &count);
        for (size_t i = 0; stretch.pages != NULL && i < count; i++)
            act(&stretch, i);
    }
}

static void close_page(const struct rt_managed_stretch *stretch, size_t page)
{
    protect(stretch, page, true);
}

static void open_host_page(const struct rt_managed_stretch *stretch, size_t page)
{
    const struct rt_managed_page *at = &stretch->pages[page];
    if (at->where == HOST || (at->copies & rt_place_bit(HOST)) != 0)
        protect(stretch, page, false);
}

void rt_managed_watch(struct allocation *allocation)
{
    struct rt_managed_stretch stretch = {allocation, NULL, 0, 0};
    size_t count = 0;
    stretch.pages = pages_of(allocation, &count);
    for (size_t i = 0; stretch.pages != NULL && i < count; i++)
        protect(&stretch, i, true);
}

void rt_managed_close(void)
{
    if (!managed.closed_for_queue)
        for_all_pages(close_page);
    managed.closed_for_queue = true;
}

void rt_managed_open(void)
{
    if (managed.closed_for_queue)
        for_all_pages(open_host_page);
    managed.closed_for_queue = false;
}

bool rt_managed_host_touch(uintptr_t address)
{
    struct rt_managed_stretch stretch;
    const struct allocation *found = memory_find(address);
    if (found == NULL || found->kind != MEMORY_MANAGED || !rt_managed_find(address, 1, &stretch) ||
        !stretch.pages[stretch.first].closed)
        return false;
    if (managed.closed_for_queue && rt_thread.depth == 0 && rt_queue_concerns(found))
        rt_finding("managed-touch", SEVERITY_WARNING,
            "the host touches managed memory (%s) while work is queued that it has not waited for",
            found->name);
    const size_t moved = reach(&stretch.pages[stretch.first], HOST, true);
    if (moved > 0)
        clock_wait_until(clock_now() + clock_transfer_ns(ROUTE_FAULTING, moved));
    protect(&stretch, stretch.first, false);
    return true;
}

uint64_t rt_managed_faults(void)
{
    return managed.faults;
}

uint64_t rt_managed_moved_bytes(void)
{
    return managed.moved_bytes;
}

void rt_managed_clear_counters(void)
{
    managed.faults = managed.moved_bytes = 0;
}
