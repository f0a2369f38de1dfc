// expect=PASS diagnosis=- others=PASS
// A right solution that would crash, or leave with success, at the end of the process: no test gets
// there.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

__attribute__((destructor)) static void crash(void)
{
    raise(SIGSEGV);
}

static void leave(void)
{
    _exit(0);
}

int largest(const int *values, int count)
{
    static int registered;

    if (!registered)
        registered = atexit(leave) == 0;
    return right_largest(values, count);
}
