/* What a test process gives up before the candidate is opened, for itself and all that it starts. */
#ifndef GRADER_CONFINE_H
#define GRADER_CONFINE_H

/* From now on
 *   - a signal to a process above the test's runner, or to everybody, ends the sender by SIGSYS;
 *   - new sessions and process groups, and a debugger's access, are refused with EPERM;
 *   - a file that grows past FILE_MIB_MOST ends the writer by SIGXFSZ;
 *   - there is nothing to read on the standard input;
 *   - the test ends when its runner does.
 * Where the kernel grants no filter of system calls (seccomp), the first two are left out: then the
 * supervisor's own alarm is what ends a grading that somebody stopped. */
void confine(void);

#endif
