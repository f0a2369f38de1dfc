/* hw5.5: one counter for host and device. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/mix.h"
#include "grader/virtual_calls.h"

/* Is there an atomic instruction of system scope in the device code of the file? Without one the
 * counter is not shared, whatever its value is. */
static bool has_system_atomic(struct trial *t)
{
    char *text = malloc((size_t)64 << 20);
    size_t bytes = 0;
    bool found = false;
    Dl_info self;

    FILE *file = dladdr(trial_function(t), &self) ? fopen(self.dli_fname, "rb") : NULL;
    if (file && text)
        bytes = fread(text, 1, (size_t)64 << 20, file);
    for (size_t i = 0; i + 5 <= bytes && !found; i++) {
        size_t end = i;
        if (memcmp(text + i, "atom.", 5) != 0 && memcmp(text + i, "red.", 4) != 0)
            continue;
        while (end < bytes && isgraph((unsigned char)text[end]))
            end++;
        found = memmem(text + i, end - i, ".sys", 4) != NULL;
    }
    if (file)
        fclose(file);
    free(text);
    return found;
}

static const struct count_case {
    size_t gpu_adds, cpu_adds;
    bool restricted;
} count_cases[] = {
    {1000, 700, false},
    {1000, 0, false},
    {0, 300, false},
    {1, 1, false},
    {20011, 2000, false},
    {20011, 2000, true},
};

static cudaError_t use_counter(
    struct trial *t, const struct count_case *c, unsigned *counter, unsigned start)
{
    *counter = start;
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, c->restricted);
    return end_restricted(t, c->restricted,
        ((typeof(&count_together))trial_function(t))(counter, c->gpu_adds, c->cpu_adds));
}

static void judge_count(
    struct trial *t, const struct count_case *c, const unsigned *counter, unsigned start)
{
    const bool both = c->gpu_adds > 0 && c->cpu_adds > 0;
    const double want = start + (double)c->gpu_adds + (double)c->cpu_adds;
    const bool early = touched_early(); /* before anything here reads the counter */
    struct array output = {.name = "counter", .element = UINT32, .count = 1, .is_output = true};
    uint32_t got = *counter;

    if (both && !has_system_atomic(t))
        wrong(t, "device-scope", "no atomic instruction of the device code has system scope");
    output.words = &got;
    trial_expect(t, &(struct expectation){.output = &output, .want = &want});
    if (c->gpu_adds > 0 && host_made(counter, sizeof *counter))
        wrong(t, "computed-on-host", "no kernel has written the counter");
    if (both && c->restricted && early)
        wrong(t, "touched-while-busy",
            "the host adds while the device works, where concurrentManagedAccess is 0");
    if (both && !c->restricted && !early && virtual_calls()->findings && is_concurrent())
        wrong(t, "one-after-the-other",
            "the host did not add between the launch and the wait for it");
}

static void try_count(struct trial *t, const struct count_case *c, int rounds)
{
    unsigned *counter = managed(t, sizeof *counter);

    for (int round = 0; round < rounds && trial_healthy(t); round++) {
        const unsigned start = (unsigned)mixed_integer(trial_seed(t), (uint64_t)round, 1, 1000000);
        if (TRIAL_CALL(t, use_counter(t, c, counter, start)))
            judge_count(t, c, counter, start);
    }
    cudaFree(counter);
}

void check_count(struct trial *t)
{
    const struct count_case tried = {trial_try_size(t), trial_try_size(t), false};
    const bool trying = tried.gpu_adds > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(count_cases)); i++) {
        const struct count_case *c = trying ? &tried : &count_cases[i];
        if (trial_begin(
                t, "%sgpu%zu-cpu%zu", c->restricted ? "restricted-" : "", c->gpu_adds, c->cpu_adds))
            try_count(t, c, trying ? 1 : 3);
    }
}
