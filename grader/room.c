/* Memory, or the end of the test. */
#include "room.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void *room_for(size_t count, size_t element_bytes)
{
    void *room = calloc(count + 1, element_bytes);
    cr_assert_not_null(room, "out of memory");
    return room;
}

double *doubles(size_t count)
{
    return room_for(count, sizeof(double));
}
