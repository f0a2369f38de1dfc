/* What was launched: every kernel with every shape it had, and what those launches cost. */
#include "rt_report.h"

#include "device.h"

#include <stdlib.h>
#include <string.h>

static struct rt_counted_launch *launches;
static size_t launch_count, launch_room;

static struct rt_counted_launch *append(void)
{
    if (launch_count == launch_room) {
        const size_t room = launch_room == 0 ? 16 : 2 * launch_room;
        struct rt_counted_launch *grown = realloc(launches, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        launches = grown;
        launch_room = room;
    }
    struct rt_counted_launch *added = &launches[launch_count++];
    memset(added, 0, sizeof *added);
    return added;
}

static struct rt_counted_launch *launch_like(const struct engine_launch *launch)
{
    for (size_t i = 0; i < launch_count; i++)
        if (launches[i].kernel == launch->kernel &&
            launches[i].dynamic_shared_bytes == launch->dynamic_shared_bytes &&
            memcmp(launches[i].grid, launch->grid, sizeof launch->grid) == 0 &&
            memcmp(launches[i].block, launch->block, sizeof launch->block) == 0)
            return &launches[i];
    struct rt_counted_launch *added = append();
    if (added == NULL)
        return NULL;
    added->kernel = launch->kernel;
    added->dynamic_shared_bytes = launch->dynamic_shared_bytes;
    memcpy(added->grid, launch->grid, sizeof added->grid);
    memcpy(added->block, launch->block, sizeof added->block);
    return added;
}

static void add_bounds(struct kernel_bounds *sum, const struct kernel_bounds *added)
{
    sum->latency += added->latency;
    sum->issue += added->issue;
    sum->pipes += added->pipes;
    sum->l1 += added->l1;
    sum->shared += added->shared;
    sum->l2 += added->l2;
    sum->dram += added->dram;
    sum->atomics += added->atomics;
}

void rt_note_launch(const struct engine_launch *launch, const struct engine_result *result)
{
    struct rt_counted_launch *noted = launch_like(launch);
    if (noted == NULL)
        return;
    noted->launches++;
    noted->kernel_ns += result->kernel_ns;
    add_bounds(&noted->bounds, &result->bounds);
    rt_add_counters(&noted->counters, &result->counters);
}

unsigned rt_resident_blocks(const struct rt_counted_launch *launch)
{
    const struct engine_kernel_info *info = engine_kernel_info(launch->kernel);
    return device_resident_blocks(&(struct device_block_needs){
        .threads = launch->block[0] * launch->block[1] * launch->block[2],
        .registers = info->registers,
        .static_shared = info->static_shared_bytes,
        .dynamic_shared = launch->dynamic_shared_bytes,
    });
}

const struct rt_counted_launch *rt_counted_launches(size_t *count)
{
    *count = launch_count;
    return launches;
}

void rt_forget_launches(void)
{
    launch_count = 0;
}
