// expect=PASS diagnosis=- others=PASS
// Right, and starts a program that it waits for: processes are no offence, only too many are.
#include <stdio.h>

#include "host.h"

int largest(const int *values, int count)
{
    char word[16] = "";
    FILE *program = popen("echo yes | cat", "r");

    if (!program || !fgets(word, sizeof word, program) || pclose(program) != 0 || word[0] != 'y')
        return -1;
    return right_largest(values, count);
}
