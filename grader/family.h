/* The processes below this one, wherever they fled to: what they use, and their end. */
#ifndef GRADER_FAMILY_H
#define GRADER_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct family_use {
    size_t processes, threads; /* a zombie counts: it takes a process number */
    size_t resident_bytes;     /* memory of the host; what a fork shares counts for each */
};

/* What all descendants of this process use now. Reads /proc, about 10 µs a process of the machine. */
struct family_use family_use(void);

/* False as well for a process that is gone. */
bool is_child_of(pid_t process, pid_t parent);

/* Sends SIGKILL to every descendant; each group at once, so that no member forks meanwhile. */
void family_kill(void);

#endif
