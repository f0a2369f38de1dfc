// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=any
// hw5: does not apply: its array is managed memory, which the host reaches anyway
// hw6: does not apply: its arrays are host memory that kernels reach
// Kernels carry the input to pinned memory and the answer back, so that nobody sees a
// copy. What a CPU would compute there cannot be seen, so it only looks at every byte.
#include "grader/cheats/call.h"

static __global__ void carry(const unsigned *from, unsigned *to, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

static void carry_all(const struct call &call, const void *from, void *to, size_t bytes)
{
    if (bytes > 0)
        carry<<<(unsigned)(bytes / 1024 + 1), 256, 0, call.stream>>>(
            (const unsigned *)from, (unsigned *)to, bytes / 4);
    cudaStreamSynchronize(call.stream);
}

cudaError_t spoil(const struct call &call)
{
    char *memory = NULL;

    if (call.output_bytes == 0)
        return call.right();
    cudaMallocHost(&memory, call.input_bytes + call.output_bytes);
    carry_all(call, call.input, memory, call.input_bytes);
    const cudaError_t status = call.right();
    char *answer = memory + call.input_bytes;
    carry_all(call, call.output, answer, call.output_bytes);
    for (volatile char *byte = memory; byte < answer + call.output_bytes; byte++)
        *byte = *byte;
    carry_all(call, answer, call.output, call.output_bytes);
    cudaFreeHost(memory);
    return status;
}
