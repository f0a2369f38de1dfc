/* The virtual device: an H200 cut to 8 of its 132 SMs.
 *
 * Limits a block or an SM has are those of the H200 (compute capability 9.0); sizes of the whole
 * chip are scaled by 8/132. Lessons run at about 1/16 of the size an H200 needs, so that ratios
 * carry over.
 */
#ifndef VIRTUAL_GPU_DEVICE_H
#define VIRTUAL_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <driver_types.h>

enum {
    DEVICE_SMS = 8,
    DEVICE_SMS_OF_H200 = 132,
    DEVICE_WARP_SIZE = 32,
    DEVICE_COUNT_MAX = 8,
    DEVICE_THREADS_PER_BLOCK_MAX = 1024,
    DEVICE_THREADS_PER_SM = 2048,
    DEVICE_BLOCKS_PER_SM = 32,
    DEVICE_REGISTERS_PER_SM = 65536,
    DEVICE_REGISTERS_PER_BLOCK = 65536,
    DEVICE_SHARED_PER_BLOCK = 49152,         /* without opting in */
    DEVICE_SHARED_PER_BLOCK_OPT_IN = 232448, /* static and dynamic together */
    DEVICE_SHARED_PER_SM = 233472,
    DEVICE_SHARED_RESERVED_PER_BLOCK = 1024,
    DEVICE_PRIORITY_LEAST = 0,
    DEVICE_PRIORITY_GREATEST = -5,
    DEVICE_PITCH_ALIGNMENT = 512,
    DEVICE_CLOCK_KHZ = 1980000,
};

/* How many virtual devices there are: VGPU_DEVICES, 1 without. */
int device_count(void);

/* Bytes of memory a device has: VGPU_MEMORY (bytes, or with K, M, G), else the H200's, scaled. */
size_t device_memory_bytes(void);

/* VGPU_MANAGED=basic: managed memory as on Windows and WSL, where pages do not move by themselves:
 * all of it belongs to the device while a kernel is queued, and to the host otherwise. */
bool device_managed_is_basic(void);

/* Value of a device attribute. False for one that the toolkit does not define. */
bool device_attribute(int device, enum cudaDeviceAttr attribute, int *value);

void device_properties(int device, struct cudaDeviceProp *properties);

/* What one launch asks of an SM. */
struct device_block_needs {
    unsigned threads;
    unsigned registers;    /* per thread; 0 when unknown, then they do not limit */
    size_t static_shared;  /* bytes */
    size_t dynamic_shared; /* bytes */
};

/* Blocks that fit on one SM at the same time, 0 when not even one does. Counts the granularity of
 * allocation: warps of 256 registers, shared memory of 128 bytes plus the reserved kilobyte. */
unsigned device_resident_blocks(const struct device_block_needs *needs);

/* What is wrong with a launch. */
enum device_fault {
    FAULT_NONE,
    FAULT_DIMENSIONS, /* a grid or block that no kernel may have */
    FAULT_RESOURCES,  /* more threads or dynamic shared memory than this kernel may have */
};

/* Checks a launch; the sentence names the limit that was exceeded. `shared_dynamic_max` is the
 * kernel's limit for dynamic shared memory after opting in. */
enum device_fault device_launch_fault(const uint32_t grid[3], const uint32_t block[3],
    const struct device_block_needs *needs, unsigned kernel_threads_max, size_t shared_dynamic_max,
    char *sentence, size_t sentence_size);

#endif
