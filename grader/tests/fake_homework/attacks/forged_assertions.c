// expect=EXITED diagnosis=exit others=PASS
// Tells Criterion of a hundred assertions that held, and leaves.
#define _GNU_SOURCE
#include <criterion/internal/assert.h>
#include <dlfcn.h>
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    void (*send)(struct criterion_assert_stats *);
    struct criterion_assert_stats held = {
        .passed = 1, .file = "forged.c", .line = 1, .message = ""};

    (void)values, (void)count;
    *(void **)&send = dlsym(RTLD_DEFAULT, "criterion_send_assert");
    for (int i = 0; send && i < 100; i++)
        send(&held);
    _exit(0);
}
