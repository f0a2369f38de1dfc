/* Gates on what a call costs the memory system, judged by the exact counts of the virtual GPU. They
 * decide what time cannot: a GPU with much bandwidth hides what another shows.
 *
 *     static double sectors(const struct vgpu_counters *made)
 *     {
 *         return (double)made->global_load_sectors;
 *     }
 *
 *     static double requests(const struct vgpu_counters *made)
 *     {
 *         return (double)made->global_load_requests;
 *     }
 *
 *     static const struct cost_gate coalesced = {
 *         "uncoalesced-loads", "sectors a load request", sectors, requests, .most = 4};
 *
 *     if (TRIAL_CALL(t, gather(in->device, out->device, n, 0))) {
 *         trial_expect(t, …);
 *         trial_expect_cost(t, &coalesced, 0);
 *     }
 *
 * Where nothing is counted, on a real GPU, these judge nothing: every grading there runs the task
 * once more on the virtual GPU. */
#ifndef GRADER_COST_H
#define GRADER_COST_H

#include "trial.h"
#include "virtual_gpu/vgpu.h"

struct cost_gate {
    const char *diagnosis; /* of the lesson's table */
    const char *what;      /* "sectors a load request": printed after the number */
    double (*cost)(const struct vgpu_counters *made);
    double (*per)(const struct vgpu_counters *made); /* NULL: per what the check names */
    double most;                                     /* the largest cost / per that is accepted */
};

/* Judges the last call: more than gate->most is INEFFICIENT, with the source line that exceeds it
 * most. `per` counts where gate->per is NULL: say, the number of outputs. A call for which there is
 * nothing to divide by is not judged. Keep it to cases that are large enough for the rule. */
void trial_expect_cost(struct trial *trial, const struct cost_gate *gate, double per);

/* What the last call cost; NULL where nothing is counted. Kernels of the candidate alone. */
const struct vgpu_counters *trial_counters(const struct trial *trial);

/* INEFFICIENT for a reason that a sum of costs cannot state; printf style. Only the first counts,
 * and the case goes on: the points for correctness stay. */
void trial_inefficient(struct trial *trial, const char *diagnosis, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

/* Costs that many lessons count. */
double counted_sectors(const struct vgpu_counters *made);       /* global loads and stores */
double counted_sectors_ideal(const struct vgpu_counters *made); /* that their bytes fill */
double counted_load_sectors(const struct vgpu_counters *made);  /* with those of cp.async */
double counted_load_sectors_ideal(const struct vgpu_counters *made);
double counted_load_requests(const struct vgpu_counters *made);
double counted_load_bytes(const struct vgpu_counters *made); /* that they ask for */
double counted_requests(const struct vgpu_counters *made);   /* global loads and stores */
double counted_bytes(const struct vgpu_counters *made);
double counted_atomics(const struct vgpu_counters *made); /* global, of single threads */

/* Loads and stores fill the sectors that they touch. A misaligned row costs one sector in five. */
extern const struct cost_gate coalesced;

/* The same, more generous. One element a thread costs 1, a stretch a thread 8. Four of a float4 a
 * thread, which nvcc may store one by one, cost up to 2.5, and are no mistake. */
extern const struct cost_gate not_scattered;

#endif
