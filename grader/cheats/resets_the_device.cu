// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=sticky-error task=any
// Destroys the context with all memory that the grader has allocated in it: the grader's next
// call fails, which must not look like a fault of the grader.
extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    return cudaDeviceReset();
}
