/* hw3.2: a launch for this GPU. */
#include <stdint.h>
#include <stdio.h>

#include "checks.h"

enum { GRID_X_MAX = 0x7fffffff, FEW = 4 /* elements a thread */ };

/* Ascending: what fails beyond 2^32 was right before. */
static const size_t choice_sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000, 100003, 1000003,
    1ull << 28, 1ull << 31, (1ull << 32) + 5, (1ull << 40) + 12345, 1ull << 45};

/* What the contract forbids in a choice; NULL: nothing. */
static const char *choice_mistake(const struct gpu *gpu, size_t n, const struct launch *chosen)
{
    const size_t blocks = chosen->blocks, threads = chosen->threads;
    const size_t room = gpu->sms * (size_t)gpu->threads_per_sm;

    if (threads == 0 || threads % WARP != 0)
        return "partial-warps";
    if (threads > gpu->threads_per_block)
        return "block-too-large";
    if (blocks == 0)
        return "no-blocks";
    if (blocks > GRID_X_MAX)
        return "grid-x-too-large";
    if (blocks > 1 && (blocks - 1) * threads >= n)
        return "idle-blocks";
    size_t each = gpu->threads_per_sm / threads; /* blocks that an SM holds */
    each = each < gpu->blocks_per_sm ? each : gpu->blocks_per_sm;
    const size_t held = blocks < each * gpu->sms ? blocks : each * gpu->sms;
    if (held * threads == room || (n < FEW * room && n <= FEW * blocks * threads))
        return NULL;
    return n >= FEW * room && each * threads < gpu->threads_per_sm ? "sm-not-full" : "gpu-not-full";
}

static void try_choice(struct trial *t, const struct gpu *limits, size_t n)
{
    choose_function choose = (choose_function)trial_function(t);
    const struct gpu gpu = *limits;
    struct launch chosen = {0xdeadbeef, 0xdeadbeef};

    if (!TRIAL_CALL(t, choose(&gpu, n, &chosen)))
        return;
    const char *mistake = choice_mistake(limits, n, &chosen);
    if (trial_try_size(t))
        trial_print(t, "n = %zu, %u SMs of %u threads: %u blocks of %u threads\n", n, gpu.sms,
            gpu.threads_per_sm, chosen.blocks, chosen.threads);
    else if (mistake)
        trial_fail(t, WRONG_ANSWER, n > UINT32_MAX ? "count-32-bits" : mistake,
            "it chose blocks: %u, threads a block: %u\nthis GPU has %u SMs, each with room for %u "
            "threads and %u blocks",
            chosen.blocks, chosen.threads, limits->sms, limits->threads_per_sm,
            limits->blocks_per_sm);
}

void check_choice(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(choice_sizes)); i++)
        for (size_t k = 0; k < LENGTH(gpus); k++) {
            const size_t n = tried ? tried : choice_sizes[i];
            if (!trial_begin(t, "n%zu-gpu%s", n, gpus[k].name))
                continue;
            try_choice(t, &gpus[k].gpu, n);
            trial_end(t);
        }
}
