// gpu=EXITED virtual=EXITED diagnosis=process-left-behind task=any
// A right solution that leaves a child in a session of its own, which holds on to the output.
#include SOLUTION
#include <unistd.h>

__attribute__((constructor)) static void leave_a_process(void)
{
    if (fork() == 0) {
        setsid();
        sleep(60);
        _exit(0);
    }
}
