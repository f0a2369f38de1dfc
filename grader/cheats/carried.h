/* Cheats of grader/cheats/spoilt: kernels carry the input to memory that the host reaches and the
 * answer back, so that nobody sees a copy. What a CPU would compute there cannot be seen, so it only
 * looks at every byte. */
#ifndef CHEATS_CARRIED_H
#define CHEATS_CARRIED_H

#include "grader/cheats/call.h"

static __global__ void carry(const unsigned *from, unsigned *to, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

static inline void carry_all(const struct call &call, const void *from, void *to, size_t bytes)
{
    if (bytes > 0)
        carry<<<(unsigned)(bytes / 1024 + 1), 256, 0, call.stream>>>(
            (const unsigned *)from, (unsigned *)to, bytes / 4);
    cudaStreamSynchronize(call.stream);
}

/* take(bytes) returns such memory, and give_back(memory) frees it. */
template <class Take, class GiveBack>
static cudaError_t carried(const struct call &call, Take take, GiveBack give_back)
{
    if (call.output_bytes == 0)
        return call.right();
    char *memory = (char *)take(call.input_bytes + call.output_bytes);
    carry_all(call, call.input, memory, call.input_bytes);
    const cudaError_t status = call.right();
    char *answer = memory + call.input_bytes;
    carry_all(call, call.output, answer, call.output_bytes);
    for (volatile char *byte = memory; byte < answer + call.output_bytes; byte++)
        *byte = *byte;
    carry_all(call, answer, call.output, call.output_bytes);
    give_back(memory);
    return status;
}

#endif
