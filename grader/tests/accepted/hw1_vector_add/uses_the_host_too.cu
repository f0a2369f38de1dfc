// A right solution that takes much of the host as well, and gives it back: sixteen threads and a
// gigabyte are allowed.
#include "../../../../hw1_vector_add/vector_add_solution.cu"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const size_t share_bytes = (size_t)64 << 20;

static void *fill(void *share)
{
    memset(share, 1, share_bytes);
    return NULL;
}

__attribute__((constructor)) static void take_and_give_back(void)
{
    enum { THREADS = 16 };
    pthread_t threads[THREADS];
    char *memory = (char *)malloc(THREADS * share_bytes);

    for (int k = 0; memory && k < THREADS; k++)
        pthread_create(&threads[k], NULL, fill, memory + k * share_bytes);
    for (int k = 0; memory && k < THREADS; k++)
        pthread_join(threads[k], NULL);
    free(memory);
}
