// gpu=not checked (what was freed may look as before) virtual=CRASHED diagnosis=signal task=hw6.3
// The arguments of the host functions are freed when the function returns, before these run.
#include "cuda_try.h"

#include <stdlib.h>

struct line {
    struct journal *journal;
    const int *fetched;
    unsigned stage;
};

static void write_line(void *argument)
{
    struct line *line = (struct line *)argument;
    struct journal *journal = line->journal;

    journal->entries[journal->length++] = (struct entry){line->stage, *line->fetched};
}

cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    struct line *lines = (struct line *)calloc(count + 1, sizeof *lines);
    cudaEvent_t written = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
    for (size_t i = 0; i < count; i++) {
        cudaStream_t stream = streams[i % 2];

        lines[i] = {journal, fetching.fetched + i, (unsigned)i};
        CUDA_TRY(stages[i].queue(stages[i].context, stream));
        CUDA_TRY(cudaMemcpyAsync(fetching.fetched + i, fetching.results + i, sizeof(int),
            cudaMemcpyDeviceToHost, stream));
        if (i > 0)
            CUDA_TRY(cudaStreamWaitEvent(stream, written, 0));
        CUDA_TRY(cudaLaunchHostFunc(stream, write_line, &lines[i]));
        CUDA_TRY(cudaEventRecord(written, stream));
    }
    if (count > 0)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
done:
    if (written)
        cudaEventDestroy(written);
    free(lines);
    return status;
}
