/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../streams.h"
#include "grader/cost.h"
#include "grader/measure.h"
#include "grader/trial.h"
#include "grader/virtual_calls.h"

typedef typeof(&pipeline) pipeline_function;
typedef typeof(&run_diamond) diamond_function;
typedef typeof(&keep_journal) journal_function;
typedef typeof(&run_chains) chains_function;
typedef typeof(&stir_everywhere) everywhere_function;
typedef typeof(&run_urgently) urgently_function;

/* A call of the grader's own; false if it failed. */
bool done(struct trial *t, cudaError_t status, const char *what);

/* The array that the candidate is given becomes pinned. */
struct array *pinned(struct trial *t, struct array *array);

/* Before the end of the case, which frees it. */
void unpin(const struct array *array);

void fill_words(uint32_t *words, size_t n, uint64_t seed);

/* Long enough to be seen from the host, and to let everything else overtake. The virtual GPU counts
 * each turn of the waiting loop. */
uint64_t delay_ns(void);

/* Puts something that takes long in front of what the candidate queues there. */
void keep_busy(cudaStream_t stream);

/* One stage: waits, and copies a few words on the device. */
struct probe {
    uint32_t *to;
    const uint32_t *from;
    size_t count;
    uint64_t delay_ns;
    unsigned waves;          /* of a stage that fills the device instead, each of delay_ns */
    cudaEvent_t begun, done; /* recorded around it */
    unsigned turn;           /* 1: it was queued first; 0: not at all */
};

struct probe copying(uint32_t *to, const uint32_t *from, size_t count);

/* Stages that have been queued. */
extern unsigned turns;

/* What a stage queues is not the candidate's. */
cudaError_t queue_probe(void *context, cudaStream_t stream);

/* The first launch of a kernel loads it, which would hold up the host. */
bool make_probes(struct trial *t, struct probe *probes, size_t count);

void free_probes(struct probe *probes, size_t count);
struct stage stage_of(struct probe *probe);

/* A stage that queues nothing and returns an error. */
struct stage failing_stage(void);

/* NaN where it cannot be told: an event that was recorded in a capture has no time. */
double ns_between(cudaEvent_t first, cudaEvent_t second);

enum { STREAMS = 3 };

/* How much later a stage is when the first time does not prove that the host waited for it. */
enum { PATIENCE = 10 };

bool make_streams(struct trial *t, cudaStream_t *streams);
void free_streams(const cudaStream_t *streams);

/* Is the stage still at work? Asked without a trace in the last error. In a capture nobody can tell:
 * then it is busy, but not surely. */
bool is_busy(const struct probe *probe);
bool is_surely_busy(const struct probe *probe);

void expect_no_handles_left(struct trial *t);

/* Expects `want` in out. What lies there now is compared, but if it is right, it must have been
 * there when the function returned. */
void expect_at_return(
    struct trial *t, const uint32_t *at_return, const struct expectation *expectation);

/* What `rounds` of stirring make of a word, or of each. */
uint32_t stirred(uint32_t word, size_t rounds);
double *stirred_words(const uint32_t *words, size_t n, size_t rounds);

/* What `links` kernels of a chain make of a word. */
uint32_t linked(uint32_t word, uint32_t addend, unsigned links);

void check_pipeline(struct trial *t);
void check_diamond(struct trial *t);
void check_journal(struct trial *t);
void check_chains(struct trial *t);
void check_everywhere(struct trial *t);
void check_urgently(struct trial *t);
void check_chains_by_hand(struct trial *t);

extern const struct speed_test pipeline_speed, chains_speed;

#endif
