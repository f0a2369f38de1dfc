/* A homework as its grader.c describes it: a table of tasks. */
#ifndef GRADER_TASK_H
#define GRADER_TASK_H

#include <stdbool.h>
#include <stddef.h>

struct trial;      /* trial.h: one case of one task */
struct speed_test; /* measure.h: how a task is timed */

struct points {
    int correct, speed, safe;
};

struct task {
    const char *id;       /* "hw4.2": the same in skeleton, solution, README and hints */
    const char *title;    /* "warp shuffle, vector loads" */
    const char *function; /* the symbol of the contract that the candidate defines */
    struct points points; /* all zero for a star task */
    bool star;
    /* The case that make profile shows of a task without speed; NULL: the largest. */
    const char *profile_case;
    /* The case that is repeated in a stream of the caller's when all cases have held; NULL where
     * the function has no stream.  A call gets trial_stream(). */
    const char *stream_case;
    void (*check)(struct trial *trial); /* runs every case of the task */
    const struct speed_test *speed;     /* NULL: the task has no speed points */
    const struct diagnosis *diagnoses;  /* causes that only this lesson knows; ends with id NULL */
    bool copies_back;         /* a call may fetch from the device what the host has put there */
    unsigned virtual_devices; /* on the virtual GPU the test runs with 1, 2, … so many; 0: one */
    /* What the contract allows and no case tries, where a mistake could hide: a line to read after
     * a pass, which costs nobody points. NULL: nothing. */
    const char *untried;
    bool gpu_tries_it; /* only the virtual GPU does not */
};

struct homework {
    const char *name;   /* "hw4" */
    const char *folder; /* "hw4_reduction" */
    const char *file;   /* "reduction.cu" */
    const struct task *tasks;
    size_t task_count;
    bool timeline; /* make profile also draws what ran when */
    const char *const
        *banned; /* parts of header paths that would do the lesson's work; NULL ends */
};

/* Defined by the grader.c of the homework that this program grades. */
extern const struct homework homework;

/* The bodies of the Criterion tests.  A homework has one test a task and one for all its timings:
 *
 *     Test(hw4, t2, .description = "hw4.2", .timeout = TASK_TIMEOUT_S) { grade_task("hw4.2"); }
 *     Test(hw4_speed, all, .timeout = SPEED_TIMEOUT_S) { grade_speed(); }
 */
enum { TASK_TIMEOUT_S = 10, SPEED_TIMEOUT_S = 60, VIRTUAL_TIMEOUT_S = 60, TASKS_MAX = 16 };
void grade_task(const char *id);
void grade_speed(void);

/* "hw4.2" -> "2". */
const char *task_number(const struct task *task);

/* The task with that id or number, or NULL. */
const struct task *task_find(const char *id);

/* Whether --task asks for it; without --task every task is chosen. */
bool task_chosen(const struct task *task);

#endif
