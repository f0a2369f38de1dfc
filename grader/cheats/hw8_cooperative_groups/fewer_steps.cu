// gpu=WRONG ANSWER virtual=not checked (it does all steps of small problems) diagnosis=wrong-when-timed task=hw8.4
// Does a tenth of the steps where there are hundreds: the cells hardly differ by then.
#include "cuda_try.h"

#define jacobi all_steps
#include "../../../hw8_cooperative_groups/cooperative_groups_solution.cu"
#undef jacobi

extern "C" cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    return all_steps(in, out, n, steps > 100 ? steps / 10 : steps, scratch, stream);
}
