// expect=PASS diagnosis=- others=PASS
// Right, with threads of the host that each look at a part.
#include <pthread.h>

#include "host.h"

enum { THREADS = 16 };

struct part {
    const int *values;
    int first, end, largest;
};

static void *look_at_part(void *argument)
{
    struct part *part = argument;

    for (int i = part->first; i < part->end; i++)
        part->largest = part->values[i] > part->largest ? part->values[i] : part->largest;
    return NULL;
}

int largest(const int *values, int count)
{
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    int result = values[0];

    for (int k = 0; k < THREADS; k++) {
        parts[k] = (struct part){values, k * count / THREADS, (k + 1) * count / THREADS, values[0]};
        pthread_create(&threads[k], NULL, look_at_part, &parts[k]);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        result = parts[k].largest > result ? parts[k].largest : result;
    }
    return result;
}
