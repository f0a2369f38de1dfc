// expect=WRONG ANSWER diagnosis=wrong-number others=PASS
// Paints over the screen: a terminal would show the verdict that it likes.
#include <stdio.h>

#include "host.h"

int largest(const int *values, int count)
{
    printf("\033[2J\033[H\rPASS  hw0.1  the largest                 80 / 80\033[0m\x9b\n");
    printf("\033[8m");
    return values[count - 1];
}
