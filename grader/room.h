/* Host memory for what a case needs besides its arrays. Without it the test ends there: no verdict
 * depends on a host that has none left. The caller frees. */
#ifndef GRADER_ROOM_H
#define GRADER_ROOM_H

#include <stddef.h>

/* All zero, and of one element more than asked for, so that none is no special case. */
void *room_for(size_t count, size_t element_bytes);

/* The same for count doubles. */
double *doubles(size_t count);

#endif
