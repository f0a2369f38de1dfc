/* Device memory: one arena of addresses, a table of allocations, and shadows that know
 * which bytes were ever written, and by whom.
 *
 * Device memory is mapped twice.  Students see the *device view*; for cudaMalloc memory it is
 * PROT_NONE, so host code that dereferences a device pointer faults at once.  The emulator and
 * the runtime reach the same bytes through memory_bytes(), which returns the *alias*.  Managed
 * and pinned memory is readable and writable in both views, at the same device address.
 *
 * Nothing here is thread-safe: the runtime serialises its calls.
 */
#ifndef VIRTUAL_GPU_MEMORY_H
#define VIRTUAL_GPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
    MEMORY_DEVICE,     /* cudaMalloc and its family */
    MEMORY_MANAGED,    /* cudaMallocManaged and __managed__ variables */
    MEMORY_PINNED,     /* cudaMallocHost, cudaHostAlloc */
    MEMORY_REGISTERED, /* cudaHostRegister: pages that the host owns */
    MEMORY_VARIABLE,   /* __device__ */
    MEMORY_CONSTANT,   /* __constant__ and string literals; kernels may not write it */
    MEMORY_HEAP,       /* malloc inside a kernel */
    MEMORY_INTERNAL,   /* the engine's own, for example the grid-sync workspace */
};

/* Who wrote a byte last. memory_written_by() returns a union of these. */
enum memory_writer {
    WRITTEN_BY_NOBODY = 0, /* never written since it was allocated */
    WRITTEN_BY_DEVICE = 1, /* a kernel, or a device-side fill or copy of device-written bytes */
    WRITTEN_BY_HOST = 2,   /* came from host memory */
};

struct allocation {
    uint64_t address; /* first byte, device view; 256-byte aligned or better */
    size_t size;      /* bytes asked for */
    uint64_t id;      /* 1, 2, 3, … in the order of allocation, never re-used */
    enum memory_kind kind;
    int device;             /* virtual device that owns it; -1 for host memory */
    bool live;              /* false: freed, kept a while to recognise use after free */
    char name[80];          /* as findings call it: "allocation #3", a variable's name */
    void *site;             /* return address of the call that allocated it, or NULL */
    void *user;             /* for the runtime (managed residency, pool, flags); NULL at first */
    intptr_t bytes_delta;   /* address + bytes_delta = where the emulator finds the byte */
    uint64_t shadow_offset; /* index of the first byte in the shadows */
    uint64_t initialised_prefix; /* so many bytes from the start are known to be */
    bool all_initialised;        /* speed: every byte is known to have been written */
    bool all_by_device;          /* speed: every byte is known to have been written by the device */
    uint32_t position;           /* index in the sorted table; moves */
};

/* Reserves the arena of addresses; memory is only committed when touched.  VGPU_ARENA_MIB sets
 * the size (default 16384; halved until the system agrees).  Called by every other function
 * when needed, so calling it is optional.  Returns false with a message on stderr when not even
 * 256 MiB of addresses are to be had. */
bool memory_init(void);

/* A new allocation of `size` bytes (0 is taken as 1), uninitialised, or NULL when no room.
 * The bytes read as a junk pattern (0xA7), which is a large negative number in every type.
 *   align  power of two; 0 means 256
 *   name   copied; NULL gives "allocation #<id>" */
struct allocation *memory_allocate(
    size_t size, size_t align, enum memory_kind kind, int device, const char *name);

/* Lets kernels reach host pages at the host's own addresses (cudaHostRegister).  The bytes count
 * as initialised by the host.  NULL when no room for the shadow or when it overlaps another. */
struct allocation *memory_register_host(void *pointer, size_t size);

enum memory_free_result {
    MEMORY_FREED,
    MEMORY_NOT_AN_ALLOCATION, /* no allocation starts here */
    MEMORY_ALREADY_FREED,
};
/* Frees (or unregisters) the allocation that starts at `address`.  Its addresses are not re-used
 * until about 2 GiB or 1,024 further allocations were freed. */
enum memory_free_result memory_free(uint64_t address);

/* The live allocation that contains the address, or NULL. */
struct allocation *memory_find(uint64_t address);

/* For messages: the allocation, live or freed, that contains or is nearest to the address (within
 * 1 MiB), or NULL.  *distance: 0 inside; > 0 bytes past its last byte; < 0 bytes before it. */
struct allocation *memory_nearest(uint64_t address, int64_t *distance);

/* The allocation after `previous` in address order, or the first for NULL; live ones only. */
struct allocation *memory_next(const struct allocation *previous);

/* True when [address, address + size) lies inside one live allocation. */
bool memory_contains(uint64_t address, size_t size);

/* True for any address in the arena, allocated or not: tells a device pointer from a host one. */
bool memory_in_arena(uint64_t address);

/* Where this process reads and writes the byte: the alias for arena addresses, else the address
 * itself. */
void *memory_bytes(uint64_t address);

/* The runtime must report what it copies and fills, since it writes through memory_bytes().
 *   memory_wrote        [address, size) now holds bytes from `writer`
 *   memory_copied       device-to-device: initialisation and writer travel with the bytes
 *   memory_initialised  first uninitialised byte's offset, or `size` when all are initialised;
 *                       for copies from the device to the host */
void memory_wrote(uint64_t address, size_t size, enum memory_writer writer);
void memory_copied(uint64_t target, uint64_t source, size_t size);
size_t memory_initialised(uint64_t address, size_t size);

/* Union of enum memory_writer over the range (a mix of host and device gives 3). */
int memory_written_by(uint64_t address, size_t size);

#endif
