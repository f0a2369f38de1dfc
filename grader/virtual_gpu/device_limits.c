/* What fits on the virtual device: resident blocks, and launches that it refuses. */
#include "device.h"

#include <stdio.h>

static unsigned round_up(unsigned number, unsigned unit)
{
    return (number + unit - 1) / unit * unit;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Registers are given to warps in units of 256, from the warp's quarter of the SM. */
static unsigned blocks_by_registers(unsigned warps, unsigned registers)
{
    enum { UNIT = 256, QUARTERS = 4 };
    if (registers == 0)
        return DEVICE_BLOCKS_PER_SM;
    const unsigned per_warp = round_up(registers * DEVICE_WARP_SIZE, UNIT);
    if (per_warp * round_up(warps, QUARTERS) > DEVICE_REGISTERS_PER_BLOCK)
        return 0;
    const unsigned warps_per_quarter = DEVICE_REGISTERS_PER_SM / QUARTERS / per_warp;
    return warps_per_quarter * QUARTERS / warps;
}

unsigned device_resident_blocks(const struct device_block_needs *needs)
{
    enum { SHARED_UNIT = 128 };
    const size_t shared = needs->static_shared + needs->dynamic_shared;
    if (needs->threads == 0 || needs->threads > DEVICE_THREADS_PER_BLOCK_MAX ||
        shared > DEVICE_SHARED_PER_BLOCK_OPT_IN)
        return 0;
    const unsigned warps = (needs->threads + DEVICE_WARP_SIZE - 1) / DEVICE_WARP_SIZE;
    const unsigned by_warps = DEVICE_THREADS_PER_SM / DEVICE_WARP_SIZE / warps;
    const unsigned per_block =
        round_up((unsigned)shared + DEVICE_SHARED_RESERVED_PER_BLOCK, SHARED_UNIT);
    const unsigned by_shared = DEVICE_SHARED_PER_SM / per_block;
    const unsigned limit = smaller(smaller(by_warps, by_shared), DEVICE_BLOCKS_PER_SM);
    return smaller(limit, blocks_by_registers(warps, needs->registers));
}

/* ---------------------------------------------------------------------------------------------- */

struct axis_limit {
    const char *name;
    uint32_t value, limit;
};

enum device_fault device_launch_fault(const uint32_t grid[3], const uint32_t block[3],
    const struct device_block_needs *needs, unsigned kernel_threads_max, size_t shared_dynamic_max,
    char *sentence, size_t size)
{
    const struct axis_limit axes[] = {
        {"gridDim.x", grid[0], 2147483647u},
        {"gridDim.y", grid[1], 65535},
        {"gridDim.z", grid[2], 65535},
        {"blockDim.x", block[0], 1024},
        {"blockDim.y", block[1], 1024},
        {"blockDim.z", block[2], 64},
    };
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++)
        if (axes[i].value < 1 || axes[i].value > axes[i].limit) {
            snprintf(sentence, size, "%s is %u; it must be 1 to %u", axes[i].name, axes[i].value,
                axes[i].limit);
            return FAULT_DIMENSIONS;
        }
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (threads > DEVICE_THREADS_PER_BLOCK_MAX) {
        snprintf(sentence, size, "the block has %llu threads; at most %d are allowed",
            (unsigned long long)threads, DEVICE_THREADS_PER_BLOCK_MAX);
        return FAULT_DIMENSIONS;
    }
    if (threads > kernel_threads_max) {
        snprintf(sentence, size,
            "the block has %llu threads; __launch_bounds__ promises at most %u",
            (unsigned long long)threads, kernel_threads_max);
        return FAULT_RESOURCES;
    }
    if (needs->dynamic_shared > shared_dynamic_max) {
        snprintf(sentence, size,
            "%zu bytes of dynamic shared memory and %zu of static; at most %zu of dynamic are "
            "allowed%s",
            needs->dynamic_shared, needs->static_shared, shared_dynamic_max,
            needs->dynamic_shared + needs->static_shared <= DEVICE_SHARED_PER_BLOCK_OPT_IN
                ? " unless cudaFuncSetAttribute raises it"
                : "");
        return FAULT_RESOURCES;
    }
    return FAULT_NONE;
}
