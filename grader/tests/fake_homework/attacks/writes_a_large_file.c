// expect=CRASHED diagnosis=file-too-large others=PASS
// A byte beyond the limit; the file has no name and takes no room.
#include <stdio.h>

#include "host.h"

int largest(const int *values, int count)
{
    FILE *file = count == 1 ? tmpfile() : NULL;

    if (file) {
        fseek(file, (long)3 << 30, SEEK_SET);
        fputc('x', file);
        fclose(file);
    }
    return right_largest(values, count);
}
