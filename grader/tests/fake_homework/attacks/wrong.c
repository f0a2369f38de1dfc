// expect=WRONG ANSWER diagnosis=wrong-number others=PASS
// The other control: a wrong solution without any trick.
#include "host.h"

int largest(const int *values, int count)
{
    return values[count - 1];
}
