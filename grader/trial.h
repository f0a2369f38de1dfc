/* One case of one task: make the arguments, call the candidate, check what came back.
 *
 *     for (size_t i = 0; i < LENGTH(cases); i++) {
 *         if (!trial_begin(t, "n%zu-block%u", cases[i].n, cases[i].threads))
 *             continue;
 *         struct array *in = trial_input(t, "in", FLOAT32, cases[i].n);
 *         fill_integers(in->floats, in->count, -4, 4, trial_seed(t));
 *         struct array *out = trial_output(t, "out", FLOAT32, 1);
 *         TRIAL_CALL(t, sum(in->device, out->device, cases[i].n, cases[i].threads,
 *                           trial_stream(t)));
 *         double want = …;                     // the oracle, on in->floats
 *         trial_expect(t, &(struct expectation){.output = out, .want = &want});
 *         trial_end(t);
 *     }
 *
 * After a failure trial_begin() is false for the rest of the task, so the loops need no exits. */
#ifndef GRADER_TRIAL_H
#define GRADER_TRIAL_H

#include <cuda_runtime_api.h>
#include "array.h"
#include "compare.h"
#include "diagnosis.h"
#include "inputs.h"
#include "ledger.h"
#include "outcome.h"
#include "task.h"
#include "verdict.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct trial;

/* Starts the case with this name (printf style; letters, digits, '-' and '.').  False: skip it,
 * because the task has failed already or `make replay` asked for another case. */
bool trial_begin(struct trial *trial, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* The seed of this case: differs from case to case, printed with a failure as part of CASE=. */
uint64_t trial_seed(const struct trial *trial);

/* The candidate's function of this task. Cast it to the contract's type:
 *     typeof(&reduce_sum) sum = trial_function(t); */
void *trial_function(const struct trial *trial);

/* `make try`: the size that the student asked for with N=, else 0 (a normal grading). A check
 * function that finds it non-zero runs one case of about that size instead of its table. */
size_t trial_try_size(const struct trial *trial);

/* What a task without arrays shows then, as printf does. */
void trial_print(struct trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The stream to call with: the default one, but in the task's stream_case one for which that does
 * not wait. There the inputs are not in place yet when the candidate is called, and an output is
 * what the stream finds after the call. */
cudaStream_t trial_stream(const struct trial *trial);

/* Keeps a stream busy for some milliseconds, times `times`; the device stays free. On the virtual
 * GPU it does nothing: whatever need not run yet waits there anyway. */
cudaError_t trial_delay(cudaStream_t stream, unsigned times);

/* An input: fill its host memory, it is uploaded by the call.  count may be 0.
 * The returned array lives until trial_end(). */
struct array *trial_input(
    struct trial *trial, const char *name, enum element element, size_t count);

/* An output: filled with POISON_WORD before each call, fetched after it. */
struct array *trial_output(
    struct trial *trial, const char *name, enum element element, size_t count);

/* The same in host memory, for functions that take host pointers: pass array->given. The grader's
 * own copy, array->host, is out of the candidate's sight, so the oracle may use it after the call. */
struct array *trial_host_input(
    struct trial *trial, const char *name, enum element element, size_t count);
struct array *trial_host_output(
    struct trial *trial, const char *name, enum element element, size_t count);

/* Device memory that the candidate may use as it likes: zero before the first call of the case and
 * kept between calls; guarded, not compared. */
struct array *trial_scratch(struct trial *trial, const char *name, size_t bytes);

/* Calls the candidate once: poisons outputs, uploads inputs, clears the last error, opens the ledger,
 * evaluates the call (an expression of type cudaError_t), then requires success of it, of
 * cudaGetLastError() and of cudaDeviceSynchronize(), intact guard zones, unmodified inputs,
 * everything freed; fetches the outputs.  May be repeated within a case.  False: the case failed.
 * A broken guard zone, a modified input and a leak are safety findings: they are kept, and the case
 * goes on. */
#define TRIAL_CALL(trial, call) \
    trial_held(trial_before_call(trial) && (trial_after_call(trial, (call)), trial_healthy(trial)))

/* The same for a call that must fail: any error but NotYetImplemented is right, success is wrong.
 * `why` completes "it must return an error because …". Nothing may leak, and the device must still
 * work. */
#define TRIAL_CALL_MUST_FAIL(trial, call, why) \
    trial_held(trial_before_call(trial) &&     \
               (trial_after_failing_call(trial, (call), why), trial_healthy(trial)))

/* A function, so that the macros may stand as statements. */
static inline bool trial_held(bool held)
{
    return held;
}

bool trial_before_call(struct trial *trial);
void trial_after_call(struct trial *trial, cudaError_t status);
void trial_after_failing_call(struct trial *trial, cudaError_t status, const char *why);
bool trial_healthy(const struct trial *trial); /* no correctness failure so far */

/* What the candidate did during the last call. */
const struct ledger *trial_ledger(const struct trial *trial);

/* Compares one output; a mismatch fails the task as WRONG ANSWER with its diagnosis.
 * Where no inputs are named, those of the case are taken to recognise a copy.
 * In `make try` it prints inputs, output and expected values instead of judging. */
void trial_expect(struct trial *trial, const struct expectation *expectation);

/* Fails the task for a reason that only the lesson can see. `first` is the text of the line
 * "first", printf style: what was got and what was expected. */
void trial_fail(struct trial *trial, enum verdict verdict, const char *diagnosis, const char *first,
    ...) __attribute__((format(printf, 4, 5)));

/* A safety finding of the lesson's own: kept if it is the first one, and the case goes on. */
void trial_finding(struct trial *trial, enum verdict verdict, const char *diagnosis,
    const char *text, ...) __attribute__((format(printf, 4, 5)));

/* Frees the arrays of the case. */
void trial_end(struct trial *trial);

/* The case of a task that gives the candidate most, for make profile. */
struct largest_case {
    char name[72];   /* as CASE= takes it, without the seed; "" if no case ran */
    size_t elements; /* of its inputs and outputs together */
};

/* Like trial_run(), but a wrong answer ends its case only, not the task: the largest case is found
 * in a candidate that gets small ones wrong, too. The outcome is that of the first failure. */
void trial_survey(
    const struct task *task, void *function, struct outcome *outcome, struct largest_case *largest);

/* For the grader: runs every case of the task on the candidate's function and fills the outcome,
 * PASS if every case held. */
void trial_run(const struct task *task, void *function, struct outcome *outcome);

#endif
