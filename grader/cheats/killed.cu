// gpu=CRASHED virtual=CRASHED diagnosis=signal task=any
// Ends by the signal that cannot be caught.
#include <signal.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    raise(SIGKILL);
    return cudaSuccess;
}
