/* What several tasks need. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "checks.h"
#include "grader/device_load.h"
#include "grader/guarded.h"

bool done(struct trial *t, cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return true;
    cudaGetLastError();
    trial_fail(
        t, GRADER_FAULT, "grader-cuda", "%s, while the grader %s", cudaGetErrorName(status), what);
    return false;
}

struct array *pinned(struct trial *t, struct array *array)
{
    if (array->count > 0)
        done(t, cudaHostRegister(array->given, array->count * ELEMENT_BYTES, 0), "pinned an array");
    return array;
}

void unpin(const struct array *array)
{
    if (array->count > 0)
        cudaHostUnregister(array->given);
    cudaGetLastError();
}

void fill_words(uint32_t *words, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        words[i] = (uint32_t)mix(seed, i);
}

uint64_t delay_ns(void)
{
    return device_is_virtual() ? 500 * 1000 : 50 * 1000 * 1000;
}

void keep_busy(cudaStream_t stream)
{
    ledger_pause();
    device_spin(delay_ns(), stream);
    ledger_go_on();
}

struct probe copying(uint32_t *to, const uint32_t *from, size_t count)
{
    return (struct probe){.to = to, .from = from, .count = count};
}

unsigned turns;

cudaError_t queue_probe(void *context, cudaStream_t stream)
{
    struct probe *p = context;

    ledger_pause();
    p->turn = ++turns;
    cudaError_t status = cudaEventRecord(p->begun, stream);
    if (status == cudaSuccess)
        status = p->waves > 0 ? device_occupy(p->waves, p->delay_ns, stream)
                              : device_delayed_copy(p->to, p->from, p->count, p->delay_ns, stream);
    if (status == cudaSuccess)
        status = cudaEventRecord(p->done, stream);
    ledger_go_on();
    return status;
}

bool make_probes(struct trial *t, struct probe *probes, size_t count)
{
    bool made = done(t, device_delayed_copy(NULL, NULL, 0, 0, 0), "warmed up") &&
                done(t, device_occupy(1, 0, 0), "warmed up") &&
                done(t, cudaDeviceSynchronize(), "warmed up");

    turns = 0;
    for (size_t i = 0; i < count && made; i++)
        made = done(t, cudaEventCreate(&probes[i].begun), "made an event") &&
               done(t, cudaEventCreate(&probes[i].done), "made an event");
    return made;
}

void free_probes(struct probe *probes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (probes[i].begun)
            cudaEventDestroy(probes[i].begun);
        if (probes[i].done)
            cudaEventDestroy(probes[i].done);
    }
}

struct stage stage_of(struct probe *probe)
{
    return (struct stage){queue_probe, probe};
}

static cudaError_t refuse(void *context, cudaStream_t stream)
{
    (void)context, (void)stream;
    return cudaErrorInvalidValue;
}

struct stage failing_stage(void)
{
    return (struct stage){refuse, NULL};
}

double ns_between(cudaEvent_t first, cudaEvent_t second)
{
    float ms = NAN;

    if (cudaEventElapsedTime(&ms, first, second) != cudaSuccess) {
        cudaGetLastError();
        return NAN;
    }
    return ms * 1e6;
}

bool make_streams(struct trial *t, cudaStream_t *streams)
{
    bool made = true;

    for (int s = 0; s < STREAMS && made; s++)
        made =
            done(t, cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking), "made a stream");
    return made;
}

void free_streams(const cudaStream_t *streams)
{
    for (int s = 0; s < STREAMS; s++)
        if (streams[s])
            cudaStreamDestroy(streams[s]);
}

/* Of a stage that was not queued: cudaSuccess. */
static cudaError_t progress_of(const struct probe *probe)
{
    const cudaError_t last = cudaPeekAtLastError();
    const cudaError_t progress = probe->turn > 0 ? cudaEventQuery(probe->done) : cudaSuccess;

    if (last == cudaSuccess)
        cudaGetLastError();
    return progress;
}

bool is_busy(const struct probe *probe)
{
    return progress_of(probe) != cudaSuccess;
}

bool is_surely_busy(const struct probe *probe)
{
    return progress_of(probe) == cudaErrorNotReady;
}

void expect_no_handles_left(struct trial *t)
{
    const struct ledger *made = trial_ledger(t);
    const struct {
        const struct handles *handles;
        const char *name;
    } kinds[] = {{&made->streams, "streams"}, {&made->events, "events"}, {&made->graphs, "graphs"},
        {&made->executable_graphs, "instantiated graphs"}};

    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (kinds[i].handles->made > kinds[i].handles->destroyed)
            trial_finding(t, LEAK, "handle-leak", "never destroyed: %zu of %zu %s",
                kinds[i].handles->made - kinds[i].handles->destroyed, kinds[i].handles->made,
                kinds[i].name);
}

void expect_at_return(
    struct trial *t, const uint32_t *at_return, const struct expectation *expectation)
{
    const struct array *out = expectation->output;
    size_t late = 0;

    for (size_t i = 0; i < out->count; i++)
        late += at_return[i] != out->words[i];
    if (trial_healthy(t) && late > 0 && compare(expectation).wrong == 0)
        trial_fail(t, WRONG_ANSWER, "not-waited-for",
            "%zu of %zu words were not there yet when the function returned", late, out->count);
    trial_expect(t, expectation);
    expect_no_handles_left(t);
}
