/* hw6.1: a pipeline of chunks, by its results and by what waited for what. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/room.h"

uint32_t stirred(uint32_t word, size_t rounds)
{
    for (size_t round = 0; round < rounds; round++)
        word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
    return word;
}

double *stirred_words(const uint32_t *words, size_t n, size_t rounds)
{
    double *values = room_for(n, sizeof *values);

    for (size_t i = 0; i < n; i++)
        values[i] = stirred(words[i], rounds);
    return values;
}

/* The first one is the plainest, each of the next adds a difficulty. */
static const struct pipeline_shape pipeline_cases[] = {
    {4096, 8, 3}, {4099, 8, 3}, {5, 4, 2}, {1, 1, 1}, {1, 3, 1}, {3, 1000, 2}, {0, 4, 3},
    {257, 256, 1}, {33, 32, 0}, {100003, 1, 3}, {1000003, 16, 5},
    {1021, 7, 500}, /* enough rounds to tell whose they were */
};

/* Is the first wrong word one of another chunk, or one that was stirred too often: what was in a
 * buffer when it should have held something else? */
static bool is_of_another_chunk(
    const struct array *in, const struct array *out, const double *want, struct pipeline_shape s)
{
    const size_t size = s.n / s.chunks + (s.n % s.chunks != 0);
    size_t wrong = 0;

    while (wrong < s.n && out->words[wrong] == want[wrong])
        wrong++;
    for (size_t i = wrong < s.n ? wrong % size : s.n; i < s.n; i += size)
        for (size_t times = 0; times <= s.chunks; times++)
            if (out->words[wrong] == stirred(in->words[i], times * s.rounds) &&
                (i != wrong || times > 1))
                return true;
    return false;
}

/* Right, and without the device? Without a round there is nothing that a kernel has to make. What was
 * copied to other memory first came from there, too. A kernel that only passes on what the host has
 * stirred executes less than an instruction for each round. */
static bool is_host_work(struct trial *t, const struct array *out, struct pipeline_shape s)
{
    enum { DEVICE = 1 };
    const size_t bytes = out->count * ELEMENT_BYTES;
    const struct vgpu_counters *made = trial_counters(t);

    if (s.rounds == 0)
        return false;
    if (made && made->thread_instructions < (uint64_t)s.n * s.rounds)
        return true;
    if (trial_ledger(t)->launches == 0)
        return true;
    return trial_ledger(t)->bytes_to_host < bytes && virtual_calls()->written_by &&
           !(virtual_calls()->written_by(out->given, bytes) & DEVICE);
}

static void expect_pipeline(struct trial *t, const struct array *in, const struct array *out,
    const uint32_t *at_return, struct pipeline_shape s)
{
    double *want = stirred_words(in->words, s.n, s.rounds), *raw = stirred_words(in->words, s.n, 0);
    double *cut = stirred_words(in->words, s.n, s.rounds), *got = room_for(s.n, sizeof *got);
    struct suspect suspects[] = {
        {"remainder-dropped", cut}, {"not-ordered", raw}, {NULL, got}, {NULL, NULL}};

    for (size_t i = s.n / s.chunks * s.chunks; i < s.n; i++)
        cut[i] = NAN;
    for (size_t i = 0; i < s.n; i++)
        got[i] = out->words[i];
    if (is_of_another_chunk(in, out, want, s))
        suspects[2].diagnosis = "buffer-reused";
    expect_at_return(t, at_return,
        &(struct expectation){.output = out, .want = want, .inputs = {in}, .suspects = suspects});
    if (s.n > 0 && is_host_work(t, out, s))
        trial_fail(t, WRONG_ANSWER, "computed-on-host", "no kernel made what is in out");
    free(want), free(raw), free(cut), free(got);
}

static cudaError_t call_pipeline(struct trial *t, const struct array *in, const struct array *out,
    const struct array *buffers, struct pipeline_shape shape, uint32_t *at_return, bool late)
{
    pipeline_function run = (pipeline_function)trial_function(t);

    if (late)
        keep_busy(NULL);
    const cudaError_t status = run(in->given, out->given, buffers->device, shape);

    memcpy(at_return, out->given, shape.n * ELEMENT_BYTES);
    return status;
}

void check_pipeline(struct trial *t)
{
    const struct pipeline_shape tried = {trial_try_size(t), 3, 1};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(pipeline_cases)); i++) {
        const struct pipeline_shape s = trying ? tried : pipeline_cases[i];
        if (!trial_begin(t, "n%zu-chunks%u-rounds%u", s.n, s.chunks, s.rounds))
            continue;
        struct array *in = pinned(t, trial_host_input(t, "in", UINT32, s.n));
        struct array *out = pinned(t, trial_host_output(t, "out", UINT32, s.n));
        struct array *buffers = trial_scratch(
            t, "buffers", CHUNK_BUFFERS * (s.n / s.chunks + (s.n % s.chunks != 0)) * ELEMENT_BYTES);
        uint32_t *at_return = room_for(s.n, ELEMENT_BYTES);
        fill_words(in->words, s.n, trial_seed(t));
        if (TRIAL_CALL(t, call_pipeline(t, in, out, buffers, s, at_return, i == 0)))
            expect_pipeline(t, in, out, at_return, s);
        unpin(in), unpin(out);
        free(at_return);
        trial_end(t);
    }
}
