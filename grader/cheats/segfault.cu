// gpu=CRASHED virtual=CRASHED diagnosis=signal task=any
// Ends by the signal that a wrong pointer raises.
#include <signal.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    raise(SIGSEGV);
    return cudaSuccess;
}
