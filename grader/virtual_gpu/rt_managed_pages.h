/* The pages of managed memory, shared by what moves them and what is advised for them. */
#ifndef VIRTUAL_GPU_RT_MANAGED_PAGES_H
#define VIRTUAL_GPU_RT_MANAGED_PAGES_H

#include "rt.h"

enum rt_place { HOST = -1, NOWHERE = -2 }; /* as cudaCpuDeviceId and cudaInvalidDeviceId */

struct rt_managed_page {
    int8_t where;         /* a device, HOST, or NOWHERE before the first touch */
    int8_t preferred;     /* NOWHERE: no advice */
    int8_t last_prefetch; /* NOWHERE: never */
    bool read_mostly;
    bool closed;          /* the host's view is PROT_NONE */
    uint16_t accessed_by; /* bit i: device i, bit 15: the host */
    uint16_t copies;      /* read-mostly: who else has a copy, same bits */
    uint64_t last_use;    /* by a device; the smallest is taken away first */
};

/* A stretch of pages in one allocation. */
struct rt_managed_stretch {
    const struct allocation *allocation;
    struct rt_managed_page *pages;
    size_t first, end;
};

/* Takes copies away from all but where the page is. */
void rt_managed_drop_copies(struct rt_managed_page *page);

/* False when [address, address + bytes) is not all in one managed allocation, or is empty. */
bool rt_managed_find(uintptr_t address, size_t bytes, struct rt_managed_stretch *stretch);

static inline uint16_t rt_place_bit(int place)
{
    return (uint16_t)(1u << (place == HOST ? 15 : place));
}

#endif
