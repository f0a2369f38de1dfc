// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=host-waits task=hw6.3
// Pinned memory of its own, freed at the end: while work uses it, cudaFreeHost waits.
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
    int *results = NULL;
    cudaEvent_t written = NULL;

    CUDA_TRY(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
    CUDA_TRY(cudaMallocHost((void **)&results, count * sizeof *results + 1));
    for (size_t i = 0; i < count; i++) {
        cudaStream_t stream = streams[i % 2];
        int *fetched = results + i;

        CUDA_TRY(stages[i].queue(stages[i].context, stream));
        CUDA_TRY(cudaMemcpyAsync(
            fetched, fetching.results + i, sizeof *fetched, cudaMemcpyDeviceToHost, stream));
        if (i > 0)
            CUDA_TRY(cudaStreamWaitEvent(stream, written, 0));
        CUDA_TRY(queue_line({journal, fetched, (unsigned)i}, stream));
        CUDA_TRY(cudaEventRecord(written, stream));
    }
    if (count > 0)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
    CUDA_TRY(cudaFreeHost(results));
done:
    if (written)
        cudaEventDestroy(written);
    return status;
}
