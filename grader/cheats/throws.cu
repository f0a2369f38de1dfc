// gpu=CRASHED virtual=CRASHED diagnosis=signal task=any
// Leaves the function by a C++ exception, through frames of C that cannot catch it.
extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    throw 0;
}
