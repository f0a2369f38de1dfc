// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=journal-order task=hw6.3
// Nothing orders the host functions of the two streams: the late line comes late.
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

        CUDA_TRY(stages[i].queue(stages[i].context, stream));
        CUDA_TRY(cudaMemcpyAsync(
            fetched, fetching.results + i, sizeof *fetched, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(queue_line({journal, fetched, (unsigned)i}, stream));
    }
    CUDA_TRY(cudaEventRecord(written, streams[1]));
    CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
done:
    if (written)
        cudaEventDestroy(written);
    return status;
}
