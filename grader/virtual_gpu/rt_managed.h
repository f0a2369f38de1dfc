/* Managed memory: where each page lives, what was advised for it, and who moves it.
 *
 * A page that a kernel has taken is closed to the host; the host's first touch faults (rt_fault.c)
 * and brings it back. While work is queued every page is closed, so that a touch without waiting
 * for that work is noticed. (A system call that is given a closed page fails with EFAULT: read into
 * other memory first.)
 */
#ifndef VIRTUAL_GPU_RT_MANAGED_H
#define VIRTUAL_GPU_RT_MANAGED_H

#include "rt.h"

enum { MANAGED_PAGE_BYTES = 65536 };

/* Moves the pages of a range to a device (cudaCpuDeviceId: the host) and returns the bytes that
 * were elsewhere. */
size_t rt_managed_prefetch(uintptr_t address, size_t bytes, int device);

/* The bytes that it would move. */
size_t rt_managed_elsewhere(uintptr_t address, size_t bytes, int device);

/* Around a launch: the pages that a kernel touches in between move to `device`. The nanoseconds
 * that this costs the kernel are returned. */
void rt_managed_begin_launch(int device);
uint64_t rt_managed_end_launch(void);
/* A hook of the engine: the running kernel touches the page for the first time; `also`: by the
 * instruction that touched the last one. */
void rt_managed_touch(uint64_t address, bool is_write, bool also);

/* A new allocation: its pages are closed until somebody touches them; and an old one. */
void rt_managed_watch(struct allocation *allocation);
struct rt_managed_page;
void rt_managed_forget(const struct rt_managed_page *pages, size_t count);

/* Pages leave the device, those used longest ago first, until the others fit. */
void rt_managed_make_room(int device);
size_t rt_managed_resident_bytes(int device);

/* The work that runs from here on was the program's n-th; for rt_managed_host_wrote(), a hook of
 * the engine: has the host written to these bytes since it submitted the work? */
void rt_managed_begin_work(uint64_t sequence);
bool rt_managed_host_wrote(uint64_t address, uint32_t bytes);

/* Work that may use managed memory was queued; nothing is queued any more. */
void rt_managed_close(void);
void rt_managed_open(void);

/* The host touched a closed page. What came of it: */
enum rt_host_touch {
    TOUCH_NOT_MANAGED, /* no managed page, or an open one */
    TOUCH_REPEATABLE,  /* the page is open now, and the access may be repeated */
    TOUCH_FORBIDDEN,   /* the device has the page; said so */
};
enum rt_host_touch rt_managed_host_touch(uintptr_t address, bool is_write);

/* Pages that kernels had to fetch, and bytes moved either way, since the last clear. */
uint64_t rt_managed_faults(void);
uint64_t rt_managed_moved_bytes(void);
void rt_managed_clear_counters(void);

#endif
