// expect=EXITED diagnosis=too-many-threads others=PASS
// Threads that only wait. It stops by itself at a number that no machine minds.
#include <pthread.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 3000 };

static void *wait_for_nothing(void *unused)
{
    sleep(40);
    return unused;
}

int largest(const int *values, int count)
{
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; count == 1 && i < THREADS; i++)
        if (pthread_create(&thread, &small, wait_for_nothing, NULL) != 0)
            break;
    if (count == 1)
        sleep(40);
    return right_largest(values, count);
}
