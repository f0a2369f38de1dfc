/* The four limits of an SM, counted as the device gives them out. */
#include "profile_occupancy.h"

#include <cuda_runtime_api.h>
#include <limits.h>

enum { WARP = 32, REGISTER_UNIT = 256, QUARTERS = 4, SHARED_UNIT = 128, SHARED_RESERVED = 1024 };

static unsigned attribute(enum cudaDeviceAttr which)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, which, 0) != cudaSuccess)
        cudaGetLastError();
    return (unsigned)value;
}

static unsigned rounded_up(unsigned number, unsigned unit)
{
    return (number + unit - 1) / unit * unit;
}

/* A warp takes units of 256 registers from its quarter of the SM. */
static unsigned blocks_by_registers(unsigned warps, unsigned registers)
{
    if (registers == 0)
        return UINT_MAX;
    const unsigned quarter = attribute(cudaDevAttrMaxRegistersPerMultiprocessor) / QUARTERS;
    return quarter / rounded_up(registers * WARP, REGISTER_UNIT) * QUARTERS / warps;
}

static unsigned blocks_by_shared_memory(size_t bytes)
{
    return attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) /
           rounded_up((unsigned)bytes + SHARED_RESERVED, SHARED_UNIT);
}

struct occupancy occupancy_of(const struct vgpu_launch *launch)
{
    const unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
    const unsigned warps = (threads + WARP - 1) / WARP;
    const unsigned warps_most = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / WARP;
    const struct {
        unsigned blocks;
        const char *limiter;
    } limits[] = {
        {warps_most / warps, "its threads"},
        {blocks_by_registers(warps, launch->registers), "its registers"},
        {blocks_by_shared_memory(
             (size_t)launch->static_shared_bytes + launch->dynamic_shared_bytes),
            "its shared memory"},
        {attribute(cudaDevAttrMaxBlocksPerMultiprocessor), "the number of its blocks"},
    };
    struct occupancy occupancy = {.blocks = launch->resident_blocks,
        .warps = launch->resident_blocks * warps,
        .warps_most = warps_most,
        .limiter = "a limit that is not known here"};

    for (size_t i = sizeof limits / sizeof limits[0]; i-- > 0;)
        if (limits[i].blocks == launch->resident_blocks)
            occupancy.limiter = limits[i].limiter;
    return occupancy;
}
