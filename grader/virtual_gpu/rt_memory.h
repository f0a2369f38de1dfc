/* What the runtime keeps about an allocation, in its `user` member. */
#ifndef VIRTUAL_GPU_RT_MEMORY_H
#define VIRTUAL_GPU_RT_MEMORY_H

#include "rt.h"

struct rt_managed_page;
struct rt_pool;

struct rt_memory {
    unsigned host_flags;           /* of cudaHostAlloc and cudaHostRegister */
    bool freed_later;              /* cudaFreeAsync is queued */
    struct rt_pool *pool;          /* to which it is bound; NULL: to none, or no longer */
    unsigned attached;             /* managed memory: cudaMemAttach…; 0: to all */
    const void *attached_to;       /* a stream; only compared */
    struct rt_managed_page *pages; /* managed memory only; see rt_managed.c */
    size_t page_count;
};

/* Made when first asked for; NULL when memory is out. */
struct rt_memory *rt_memory_of(struct allocation *allocation);
void rt_forget_memory(struct allocation *allocation);

/* May a command on `device` use the memory? Host and managed memory always, that of another device
 * with peer access. */
bool rt_device_reaches(int device, const struct allocation *allocation);

/* For cudaMallocAsync; `pool` NULL: the current one of the stream's device. The memory exists at
 * once; only its use is ordered by the stream. */
cudaError_t rt_allocate_async(
    void **pointer, size_t size, struct rt_pool *pool, cudaStream_t stream);

/* Of a device's memory, without managed pages, in whole units. */
size_t rt_unmanaged_bytes(int device);

/* The memory ends: a pool that it came from has it again. */
void rt_leave_pool(struct allocation *allocation);

cudaError_t rt_free_now(struct allocation *allocation);

#endif
