// expect=EXITED diagnosis=exit others=PASS
// Returns at once; a thread ends the process while the next call is running.
#include <pthread.h>
#include <unistd.h>

#include "host.h"

static void *leave(void *unused)
{
    usleep(20000);
    _exit(0);
    return unused;
}

int largest(const int *values, int count)
{
    static pthread_t thread;

    if (thread)
        pthread_join(thread, NULL);
    pthread_create(&thread, NULL, leave, NULL);
    return right_largest(values, count);
}
