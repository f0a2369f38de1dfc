// gpu=TIMED OUT virtual=TIMED OUT diagnosis=time-limit task=any
// Stands still without using any time.
#include <signal.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    raise(SIGSTOP);
    return cudaSuccess;
}
