// expect=TIMED OUT diagnosis=time-limit others=PASS
// Ends the thread that runs the test, while another one keeps the process alive.
#include <pthread.h>
#include <unistd.h>

#include "host.h"

static void *wait_for_ever(void *unused)
{
    pause();
    return unused;
}

int largest(const int *values, int count)
{
    pthread_t thread;

    (void)values, (void)count;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    pthread_exit(NULL);
}
