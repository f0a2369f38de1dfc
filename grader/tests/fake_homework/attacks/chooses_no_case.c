// expect=WRONG ANSWER diagnosis=wrong-number others=PASS
// Changes the settings that the grader reads, so that no case is left to fail.
#include <stdlib.h>

#include "host.h"

__attribute__((constructor)) static void change_settings(void)
{
    setenv("GRADER_CASE", "none", 1);
    setenv("GRADER_TRY", "1", 1);
    setenv("GRADER_MODE", "direct", 1);
    setenv("GRADER_SEED", "1", 1);
}

int largest(const int *values, int count)
{
    return values[count - 1];
}
