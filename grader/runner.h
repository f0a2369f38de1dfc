/* The process that runs Criterion for one test. */
#ifndef GRADER_RUNNER_H
#define GRADER_RUNNER_H

/* Runs the one test suite/name, one job, silent, for at most limit_s seconds, and reports struct audit over the channel.
 * Never returns. */
_Noreturn void run_one_test(const char *suite, const char *name, double limit_s);

#endif
