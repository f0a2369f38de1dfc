// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=argument-gone task=hw6.3
// Every host function gets the address of the loop's variables: when they run, the loop is over.
#include "cuda_try.h"

static struct {
    struct journal *journal;
    const int *fetched;
    unsigned stage;
} now;

static void write_line(void *argument)
{
    const unsigned stage = *(const unsigned *)argument;
    struct journal *journal = now.journal;

    journal->entries[journal->length++] = (struct entry){stage, now.fetched[stage]};
}

cudaError_t keep_journal(const struct stage *stages, size_t count, struct fetching fetching,
    struct journal *journal, const cudaStream_t streams[2])
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t written = NULL;

    now = {journal, fetching.fetched, 0};
    CUDA_TRY(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
    for (size_t i = 0; i < count; i++) {
        cudaStream_t stream = streams[i % 2];

        now.stage = (unsigned)i;
        CUDA_TRY(stages[i].queue(stages[i].context, stream));
        CUDA_TRY(cudaMemcpyAsync(fetching.fetched + i, fetching.results + i, sizeof(int),
            cudaMemcpyDeviceToHost, stream));
        if (i > 0)
            CUDA_TRY(cudaStreamWaitEvent(stream, written, 0));
        CUDA_TRY(cudaLaunchHostFunc(stream, write_line, &now.stage));
        CUDA_TRY(cudaEventRecord(written, stream));
    }
    if (count > 0)
        CUDA_TRY(cudaStreamWaitEvent(streams[0], written, 0));
done:
    if (written)
        cudaEventDestroy(written);
    return status;
}
