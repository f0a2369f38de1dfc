/* When to count the processes of a test. */
#include "watch.h"

#include <stdbool.h>
#include <time.h>

/* At least this often; and sooner when the machine's number of processes or its free memory has
 * changed by this much since the last look. */
enum {
    LOOK_MS = 100,
    LOOK_PROCESSES = 50,
    LOOK_MIB = 256,
    LOOKS_SHARE = 20, /* of the time at most one part in so many goes into looking */
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool differs(unsigned long a, unsigned long b, unsigned long most)
{
    return (a > b ? a - b : b - a) > most;
}

/* The more processes the machine has, the longer a look takes; a bomb does not wait for it. */
static bool is_time(const struct watch *watch, const struct sysinfo *machine)
{
    const double since_s = now_s() - watch->looked_s;
    const unsigned long unit = machine->mem_unit > 0 ? machine->mem_unit : 1;

    if (since_s < watch->pause_s)
        return false;
    return since_s >= 1e-3 * LOOK_MS ||
           differs(machine->procs, watch->machine.procs, LOOK_PROCESSES) ||
           differs(
               machine->freeram, watch->machine.freeram, ((unsigned long)LOOK_MIB << 20) / unit);
}

enum host_limit watch_look(struct watch *watch, struct family_use *use)
{
    struct sysinfo machine;
    const double start_s = now_s();

    if (sysinfo(&machine) != 0 || !is_time(watch, &machine))
        return WITHIN_LIMITS;
    *use = family_use();
    const enum host_limit exceeded = limit_exceeded(use);
    if (exceeded != WITHIN_LIMITS)
        family_kill();
    watch->machine = machine;
    watch->looked_s = now_s();
    watch->pause_s = (LOOKS_SHARE - 1) * (watch->looked_s - start_s);
    return exceeded;
}
