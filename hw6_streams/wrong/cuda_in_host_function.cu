// gpu=not checked (a GPU refuses such a call, or stands still) virtual=CUDA ERROR diagnosis=cuda-in-host-function task=hw6.3
// The host function itself fetches the result from the device.
#include "cuda_try.h"

#include <stdlib.h>

struct line {
    struct journal *journal;
    const int *result; // on the device
    unsigned stage;
};

static void write_line(void *argument)
{
    struct line *line = (struct line *)argument;
    struct journal *journal = line->journal;
    int result = 0;

    cudaMemcpy(&result, line->result, sizeof result, cudaMemcpyDeviceToHost);
    journal->entries[journal->length++] = (struct entry){line->stage, result};
    free(line);
}

cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t written = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
    for (size_t i = 0; i < count; i++) {
        cudaStream_t stream = streams[i % 2];
        struct line *line = (struct line *)malloc(sizeof *line);

        *line = {journal, fetching.results + i, (unsigned)i};
        CUDA_TRY(stages[i].queue(stages[i].context, stream));
        if (i > 0)
            CUDA_TRY(cudaStreamWaitEvent(stream, written, 0));
        CUDA_TRY(cudaLaunchHostFunc(stream, write_line, line));
        CUDA_TRY(cudaEventRecord(written, stream));
    }
    if (count > 0)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
done:
    if (written)
        cudaEventDestroy(written);
    return status;
}
