// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// Ends the process with success before anything is compared.
#include <stdlib.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    exit(0);
}
