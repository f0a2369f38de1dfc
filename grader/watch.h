/* Looking at what a test uses, often enough and not too often. */
#ifndef GRADER_WATCH_H
#define GRADER_WATCH_H

#include <sys/sysinfo.h>

#include "limits.h"

/* All zero before the first look. */
struct watch {
    double looked_s, pause_s; /* when it was last looked, and for how long not to look again */
    struct sysinfo machine;   /* at that time */
};

/* Looks if it is time to. What exceeds a limit is killed at once, with all its relatives below this
 * process; the limit is returned, and `use` is what was seen. */
enum host_limit watch_look(struct watch *watch, struct family_use *use);

#endif
