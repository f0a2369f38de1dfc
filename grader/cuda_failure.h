/* From a CUDA error to a verdict and a diagnosis. No call of the runtime but for names. */
#ifndef GRADER_CUDA_FAILURE_H
#define GRADER_CUDA_FAILURE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "ledger.h"
#include "verdict.h"

struct cuda_failure {
    enum verdict verdict;
    const char *diagnosis;
    bool of_kernel; /* a kernel that was running ended with it: the context is lost */
    /* What the ledger knows of it: the launch, the copy or the call; may be empty. */
    char where[160];
};

/* `host_arrays`: the candidate was given host pointers. */
struct cuda_failure explain_cuda_error(
    cudaError_t status, const struct ledger *ledger, bool host_arrays, bool is_virtual);

/* Which limit a launch exceeds: "empty-grid", …; the dimensions tell on every toolkit. NULL: none
 * that the dimensions show. */
const char *launch_problem(const struct refused_launch *launch);

#endif
