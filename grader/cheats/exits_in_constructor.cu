// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// Is gone while the shared object is still being loaded.
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

__attribute__((constructor)) static void leave(void)
{
    _exit(0);
}

int entry(void)
{
    return cudaSuccess;
}
