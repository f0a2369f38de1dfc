/* One Criterion test in processes of its own, which are all gone when it has ended. */
#ifndef GRADER_TEST_PROCESS_H
#define GRADER_TEST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "channel.h"
#include "limits.h"

enum { OUTPUT_KEPT_BYTES = 2000 };

struct test_run {
    bool started;  /* the test has its key: before that no code of the candidate runs */
    bool finished; /* the test's last message arrived: it ran to its end */
    bool audited;  /* Criterion's own account arrived */
    struct audit audit;
    bool overran;             /* even Criterion's time limit did not end it */
    enum host_limit exceeded; /* what ended it, if one did */
    struct family_use use;    /* at the last look */
    double seconds;
    char last_case[96];                 /* the case that was running when it ended */
    char output[OUTPUT_KEPT_BYTES + 1]; /* the beginning of what it printed */
    size_t output_bytes;                /* all that it printed */
    size_t leftovers;                   /* processes that outlived the test and were killed */
};

/* Called for each outcome or speed message, with the supervisor's context. */
typedef void message_handler(void *context, const struct message *message);

/* Makes this process a supervisor, the parent of each orphan below it. Once in a process, first. */
bool become_supervisor(void);

/* The kernel ends this process after so many seconds, even if somebody has stopped it: whoever
 * waits for it is told. 0: no more. */
void set_alarm(double seconds);

/* Ends whatever runs below this process. */
void end_family(void);

/* If a signal has asked this process to stop: ends what runs below it, says so, and exits. */
void stop_if_asked(void);

/* Runs suite/name and waits until nothing of it is left. Criterion ends it after limit_s seconds; if
 * even that fails, it is ended a little later. */
void run_test(const char *suite, const char *name, double limit_s, message_handler *handle,
    void *context, struct test_run *run);

#endif
