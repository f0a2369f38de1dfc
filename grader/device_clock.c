/* The clock by which calls are timed: apart from the device, so that who reads it needs no runtime. */
#include <time.h>

#include "device.h"
#include "virtual_calls.h"

uint64_t device_now_ns(void)
{
    struct timespec now;

    if (virtual_calls()->now_ns)
        return virtual_calls()->now_ns();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
