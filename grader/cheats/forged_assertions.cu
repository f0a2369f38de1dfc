// gpu=EXITED virtual=EXITED diagnosis=exit task=any
// Tells Criterion of a hundred assertions that held, and leaves.
#include <dlfcn.h>
#include <unistd.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    // The same as struct criterion_assert_stats.
    struct {
        const char *message;
        bool passed;
        unsigned line;
        const char *file;
        void *next;
    } held = {"", true, 1, "forged.c", NULL};
    void (*send)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "criterion_send_assert");

    for (int i = 0; send && i < 100; i++)
        send(&held);
    _exit(0);
}
