// gpu=CRASHED virtual=CRASHED diagnosis=signal task=any
// Cuts every wire to the grader, and to the device.
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    for (int descriptor = 0; descriptor < 1024; descriptor++)
        close(descriptor);
    return cudaSuccess;
}
