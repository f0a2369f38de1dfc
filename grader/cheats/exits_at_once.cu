// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// Ends the process with success, past every exit handler.
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    _exit(0);
}
