// gpu=EXITED virtual=EXITED diagnosis=process-left-behind task=any
// A right solution that leaves sixteen processes, parents and children of one another.
#include SOLUTION
#include <unistd.h>

__attribute__((constructor)) static void multiply_processes(void)
{
    if (fork() == 0) {
        for (int generation = 0; generation < 4; generation++)
            fork();
        sleep(60);
        _exit(0);
    }
}
