/* Managed memory: where pages live and how they move. See rt_managed.h. */
#include "rt_managed.h"

#include "rt_memory.h"
#include "rt_queue.h"
#include "rt_managed_pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HOST_WRITES_MAX = 64 };

/* What the driver fetches at most for faults that come together: a sixteenth of the 3 MiB of an
 * H200 (driver 580, CUDA 13.0, 2026-11-30), where 1,024 pages of 64 KiB that the lanes of 32 warps
 * touch took 4.83 ms. */
enum { FAULTS_BYTES_MAX = 3 * MANAGED_PAGE_BYTES };

static struct {
    uint64_t faults, moved_bytes;
    int launch_device;
    uint64_t launch_moved_bytes; /* in one go, where pages do not move by themselves */
    uint64_t launch_fault_ns, batch_bytes;
    bool launch_uses_afar;
    bool closed_for_queue;
    uint64_t uses;                           /* counts them, for last_use */
    size_t resident_pages[DEVICE_COUNT_MAX]; /* and copies */
    size_t room_pages[DEVICE_COUNT_MAX];     /* that the device has for them */
    uint64_t running;                        /* sequence number of the work that runs */
    struct host_write {
        uintptr_t address;
        uint64_t sequence; /* work with smaller numbers was submitted before */
    } host_writes[HOST_WRITES_MAX];
    size_t host_write_count;
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

/* ---- what a device holds ---------------------------------------------------------------------- */

static bool is_on(const struct rt_managed_page *page, int device)
{
    return page->where == device || (page->copies & rt_place_bit(device)) != 0;
}

/* Around every change of `where` and `copies`. */
static void take_out(const struct rt_managed_page *page)
{
    for (int device = 0; device < rt_state.devices; device++)
        managed.resident_pages[device] -= is_on(page, device);
}

static void put_in(const struct rt_managed_page *page)
{
    for (int device = 0; device < rt_state.devices; device++)
        managed.resident_pages[device] += is_on(page, device);
}

void rt_managed_drop_copies(struct rt_managed_page *page)
{
    take_out(page);
    page->copies = 0;
    put_in(page);
}

void rt_managed_forget(const struct rt_managed_page *pages, size_t count)
{
    for (size_t i = 0; pages != NULL && i < count; i++)
        take_out(&pages[i]);
}

size_t rt_managed_resident_bytes(int device)
{
    return managed.resident_pages[device] * MANAGED_PAGE_BYTES;
}

static void measure_room(int device)
{
    const size_t total = device_memory_bytes(), used = rt_unmanaged_bytes(device);
    managed.room_pages[device] = used > total ? 0 : (total - used) / MANAGED_PAGE_BYTES;
}

/* The page that the device used longest ago, but for `kept`. */
static struct rt_managed_page *oldest_page(
    int device, const struct rt_managed_page *kept, uint64_t *address)
{
    struct rt_managed_page *oldest = NULL;
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at)) {
        size_t count = 0;
        struct rt_managed_page *pages = pages_of(at, &count);
        for (size_t i = 0; pages != NULL && i < count; i++)
            if (&pages[i] != kept && is_on(&pages[i], device) &&
                (oldest == NULL || pages[i].last_use < oldest->last_use)) {
                oldest = &pages[i];
                *address = at->address + i * MANAGED_PAGE_BYTES;
            }
    }
    return oldest;
}

/* Until the device holds no more than it has room for; returns the bytes that moved. */
static size_t evict(int device, const struct rt_managed_page *kept)
{
    size_t moved = 0;
    while (managed.resident_pages[device] > managed.room_pages[device]) {
        uint64_t address = 0;
        struct rt_managed_page *page = oldest_page(device, kept, &address);
        if (page == NULL)
            break;
        take_out(page);
        page->copies &= (uint16_t)~rt_place_bit(device);
        if (page->where == device) {
            page->where = HOST;
            moved += MANAGED_PAGE_BYTES;
        }
        put_in(page);
        engine_page_left(address);
    }
    managed.moved_bytes += moved;
    return moved;
}

void rt_managed_make_room(int device)
{
    measure_room(device);
    evict(device, NULL);
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Brings a page to `place`; returns the bytes that had to move. */
static size_t move(struct rt_managed_page *page, int place)
{
    const bool moves = page->where != NOWHERE && page->where != place;
    take_out(page);
    page->where = (int8_t)place;
    page->copies = 0;
    put_in(page);
    const size_t evicted = place == HOST ? 0 : evict(place, page);
    if (!moves)
        return evicted;
    managed.moved_bytes += MANAGED_PAGE_BYTES;
    return MANAGED_PAGE_BYTES + evicted;
}

/* The least that lets `place` access the page. */
static size_t reach(struct rt_managed_page *page, int place, bool is_write)
{
    if (place != HOST)
        page->last_use = ++managed.uses;
    const bool mapped = (page->accessed_by & rt_place_bit(place)) != 0 ||
                        (page->preferred != NOWHERE && page->preferred == page->where);
    if (page->where == place || (!is_write && (page->copies & rt_place_bit(place)) != 0)) {
        if (is_write)
            rt_managed_drop_copies(page);
        return 0;
    }
    if (page->where != NOWHERE && page->read_mostly && !is_write) {
        take_out(page);
        page->copies |= rt_place_bit(place);
        put_in(page);
        managed.moved_bytes += MANAGED_PAGE_BYTES;
        return MANAGED_PAGE_BYTES + (place == HOST ? 0 : evict(place, page));
    }
    if (page->where != NOWHERE && mapped) {
        managed.launch_uses_afar = true;
        return 0;
    }
    if (place != HOST && !device_managed_is_basic())
        managed.faults++;
    return move(page, place);
}

size_t rt_managed_prefetch(uintptr_t address, size_t bytes, int device)
{
    struct rt_managed_stretch stretch;
    size_t moved = 0;
    if (!rt_managed_find(address, bytes, &stretch))
        return 0;
    if (device != HOST)
        measure_room(device);
    for (size_t i = stretch.first; i < stretch.end; i++) {
        struct rt_managed_page *page = &stretch.pages[i];
        page->last_use = ++managed.uses;
        moved += page->read_mostly && page->where != NOWHERE ? reach(page, device, false)
                                                             : move(page, device);
        protect(&stretch, i, page->where != HOST && (page->copies & rt_place_bit(HOST)) == 0);
    }
    return moved;
}

size_t rt_managed_elsewhere(uintptr_t address, size_t bytes, int device)
{
    struct rt_managed_stretch stretch;
    size_t pages = 0;
    if (!rt_managed_find(address, bytes, &stretch))
        return 0;
    for (size_t i = stretch.first; i < stretch.end; i++) {
        const struct rt_managed_page *page = &stretch.pages[i];
        const bool has_copy = page->read_mostly && (page->copies & rt_place_bit(device)) != 0;
        pages += page->where != NOWHERE && page->where != device && !has_copy;
    }
    return pages * MANAGED_PAGE_BYTES;
}

void rt_managed_begin_work(uint64_t sequence)
{
    managed.running = sequence;
}

/* Where pages do not move alone, all that is not kept for the host moves before a kernel. */
static void move_everything(int device)
{
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at)) {
        size_t count = 0;
        struct rt_managed_stretch stretch = {at, NULL, 0, 0};
        stretch.pages = pages_of(at, &count);
        if (stretch.pages == NULL || rt_memory_of(at)->attached == cudaMemAttachHost)
            continue;
        for (size_t i = 0; i < count; i++) {
            managed.launch_moved_bytes += move(&stretch.pages[i], device);
            protect(&stretch, i, true);
        }
    }
}

void rt_managed_begin_launch(int device)
{
    managed.launch_device = device;
    managed.launch_moved_bytes = 0;
    managed.launch_fault_ns = managed.batch_bytes = 0;
    managed.launch_uses_afar = false;
    measure_room(device);
    if (device_managed_is_basic())
        move_everything(device);
}

/* The faults that came together have been served. */
static void end_batch(void)
{
    if (managed.batch_bytes > 0)
        managed.launch_fault_ns += clock_transfer_ns(ROUTE_FAULTING, managed.batch_bytes);
    managed.batch_bytes = 0;
}

void rt_managed_touch(uint64_t address, bool is_write, bool also)
{
    struct rt_managed_stretch stretch;
    if (!rt_managed_find((uintptr_t)address, 1, &stretch))
        return;
    struct rt_managed_page *page = &stretch.pages[stretch.first];
    const size_t moved = reach(page, managed.launch_device, is_write);
    if (!also || managed.batch_bytes + moved > FAULTS_BYTES_MAX)
        end_batch();
    managed.batch_bytes += moved;
    protect(&stretch, stretch.first, page->where != HOST);
}

uint64_t rt_managed_end_launch(void)
{
    if (managed.launch_uses_afar)
        rt_time_is_unknown("a kernel used managed memory where it was, over the link");
    end_batch();
    if (managed.launch_moved_bytes == 0)
        return managed.launch_fault_ns;
    return clock_transfer_ns(ROUTE_PINNED_TO_DEVICE, managed.launch_moved_bytes);
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
    managed.host_write_count = 0;
}

bool rt_managed_host_wrote(uint64_t address, uint32_t bytes)
{
    for (size_t i = 0; i < managed.host_write_count; i++) {
        const struct host_write *write = &managed.host_writes[i];
        if (write->sequence > managed.running && write->address - address < bytes)
            return true;
    }
    return false;
}

static void note_host_write(uintptr_t address)
{
    const size_t at = managed.host_write_count++ % HOST_WRITES_MAX;
    managed.host_writes[at] = (struct host_write){address, rt_queue_next_sequence()};
}

/* Where pages do not move alone, every kernel may use all that is not attached elsewhere. */
static bool belongs_to_a_kernel(const struct allocation *allocation)
{
    const struct rt_memory *memory = allocation->user;
    if (!device_managed_is_basic() || !managed.closed_for_queue ||
        (memory != NULL && memory->attached == cudaMemAttachHost))
        return false;
    for (const struct rt_op *op = rt_queue_oldest(); op != NULL; op = op->newer)
        if (op->work.kind == WORK_KERNEL &&
            (memory == NULL || memory->attached_to == NULL || memory->attached_to == op->stream))
            return true;
    return false;
}

enum rt_host_touch rt_managed_host_touch(uintptr_t address, bool is_write)
{
    struct rt_managed_stretch stretch;
    const struct allocation *found = memory_find(address);
    if (found == NULL || found->kind != MEMORY_MANAGED || !rt_managed_find(address, 1, &stretch) ||
        !stretch.pages[stretch.first].closed)
        return TOUCH_NOT_MANAGED;
    if (belongs_to_a_kernel(found)) {
        rt_finding("managed-touch", SEVERITY_ERROR,
            "the host touches managed memory (%s) while a kernel is queued: "
            "concurrentManagedAccess is 0, so the device has it until cudaDeviceSynchronize",
            found->name);
        return TOUCH_FORBIDDEN;
    }
    if (managed.closed_for_queue && is_write)
        note_host_write(address);
    if (managed.closed_for_queue && rt_thread.depth == 0 && rt_queue_concerns(found))
        rt_finding("managed-touch", SEVERITY_WARNING,
            "the host touches managed memory (%s) while work is queued that it has not waited for",
            found->name);
    const size_t moved = reach(&stretch.pages[stretch.first], HOST, true);
    if (moved > 0)
        clock_wait_until(clock_now() + clock_transfer_ns(ROUTE_FAULTING, moved));
    protect(&stretch, stretch.first, false);
    return TOUCH_REPEATABLE;
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
