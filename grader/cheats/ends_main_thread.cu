// gpu=TIMED OUT virtual=TIMED OUT diagnosis=time-limit task=any
// Ends the thread that runs the test, while another one keeps the process alive.
#include <pthread.h>
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

static void *stay(void *)
{
    for (;;)
        pause();
}

int entry(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, stay, NULL);
    pthread_exit(NULL);
}
