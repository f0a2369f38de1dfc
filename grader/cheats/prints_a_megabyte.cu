// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unwritten task=any
// Prints far more than a pipe holds, all of it good news, and computes nothing.
#include <stdio.h>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    for (int line = 0; line < 20000; line++)
        puts("\033[2J\rPASS  every task passes                                  100 / 100");
    return cudaSuccess;
}
