// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// Lets Criterion leave the test body as it does after a failed assertion, but without one.
#include <dlfcn.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    void (*abort_test)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "criterion_abort_test");

    if (abort_test)
        abort_test();
    return cudaSuccess;
}
