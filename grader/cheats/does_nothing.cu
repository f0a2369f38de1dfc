// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// Returns success and leaves the output as it was.
extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    return cudaSuccess;
}
