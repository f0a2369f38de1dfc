// expect=EXITED diagnosis=forged-assertion others=PASS
// A right solution that tells Criterion of a failed assertion.
#define _GNU_SOURCE
#include <criterion/internal/assert.h>
#include <dlfcn.h>
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    void (*send)(struct criterion_assert_stats *);
    struct criterion_assert_stats failed = {
        .passed = 0, .file = "forged.c", .line = 1, .message = ""};

    *(void **)&send = dlsym(RTLD_DEFAULT, "criterion_send_assert");
    if (send)
        send(&failed);
    return right_largest(values, count);
}
