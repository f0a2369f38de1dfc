// expect=EXITED diagnosis=exit others=PASS
// Lets Criterion itself leave the test body, as a failed or skipped assertion does.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "host.h"

int largest(const int *values, int count)
{
    void (*abort_test)(void);

    *(void **)&abort_test = dlsym(RTLD_DEFAULT, "criterion_abort_test");
    if (abort_test)
        abort_test();
    return right_largest(values, count);
}
