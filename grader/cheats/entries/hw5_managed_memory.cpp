// task=hw5.2
#include "grader/cheats/call.h"
#include "hw5_managed_memory/managed_memory.h"

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    const size_t bytes = n * sizeof *data;

    return spoil({data, data, bytes, bytes, INTEGERS, n > 1000003, stream,
        [=](const void *, void *to, cudaStream_t where, double share) {
            return RIGHT(increment)((int *)to, (size_t)((double)n * share), amount, where);
        }});
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    return RIGHT(sum_at_home)(data, n, sum, stream);
}
