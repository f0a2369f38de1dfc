// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// A thread ends the process with success while the function waits.
#include <pthread.h>
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

static void *leave(void *)
{
    usleep(20000);
    _exit(0);
}

int entry(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    return cudaSuccess;
}
