// gpu=TIMED OUT virtual=TIMED OUT diagnosis=time-limit task=any
// Never returns, and hears no signal that can be ignored.
#include <signal.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_IGN);
    for (;;)
        __asm__ volatile("");
}
