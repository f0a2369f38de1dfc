// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=error-not-returned task=hw6.3
// What a stage returns is not looked at: its line tells of a result that nobody computes.
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
    free(line);
}

static cudaError_t queue_line(const struct line &line, cudaStream_t stream)
{
    struct line *kept = (struct line *)malloc(sizeof *kept);
    *kept = line;
    return cudaLaunchHostFunc(stream, write_line, kept);
}

cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t written = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
    for (size_t i = 0; i < count; i++) {
        cudaStream_t stream = streams[i % 2];
        int *fetched = fetching.fetched + i;

        stages[i].queue(stages[i].context, stream);
        CUDA_TRY(cudaMemcpyAsync(
            fetched, fetching.results + i, sizeof *fetched, cudaMemcpyDeviceToHost, stream));
        if (i > 0)
            CUDA_TRY(cudaStreamWaitEvent(stream, written, 0));
        CUDA_TRY(queue_line({journal, fetched, (unsigned)i}, stream));
        CUDA_TRY(cudaEventRecord(written, stream));
    }
    if (count > 0)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
done:
    if (written)
        cudaEventDestroy(written);
    return status;
}
