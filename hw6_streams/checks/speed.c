/* The speed of hw6.1, how much of what can be hidden is, and of hw6.4, a graph against launches. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checks.h"
#include "grader/candidate.h"
#include "grader/device.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/settings.h"

/* A function that the baseline's file has for the grader alone. */
static void *helper(const char *name)
{
    char problem[200];
    void *function = candidate_function(setting("BASELINE"), name, problem, sizeof problem);

    cr_assert_not_null(function, "%s", problem);
    return function;
}

enum { PIPELINE_IN, PIPELINE_OUT, PIPELINE_BUFFERS, PIPELINE_ARRAYS };

/* The first copy in and the last copy out have nothing beside them; many chunks make them short. */
static unsigned timed_chunks(void)
{
    return device_is_virtual() ? 16 : 64;
}
enum { VIRTUAL_WORDS = 1 << 19, SPOTS = 1000 };

/* The kernel takes this share of the time of one copy: 0.8 to 1.0 leaves the copies the longer
 * part, and the kernel enough to be worth hiding. */
#define KERNEL_SHARE 0.9

/* More than a GPU needs beside any link. Where somebody else's kernels make the measured times alike, a
 * straight line through them would ask for many more, and the GPU be held for seconds. */
#define ROUNDS_MAX 20000.0

static size_t pipeline_count(size_t n, int k)
{
    return k == PIPELINE_BUFFERS ? CHUNK_BUFFERS * ((n + timed_chunks() - 1) / timed_chunks())
                                 : (k < PIPELINE_BUFFERS ? n : 0);
}

static size_t pipeline_bytes(const struct timed_problem *p)
{
    return 2 * p->n * ELEMENT_BYTES;
}

/* in and out, and two times a quarter of them: the candidate's buffers and the baseline's. */
static size_t pipeline_words_in(size_t bytes)
{
    const size_t words = bytes * 2 / 5 / ELEMENT_BYTES;
    return device_is_virtual() && words > VIRTUAL_WORDS ? VIRTUAL_WORDS : words;
}

static double shortest_ns(const struct timed_problem *p, unsigned rounds)
{
    typedef cudaError_t alone_function(unsigned *words, size_t n, unsigned rounds);
    alone_function *stir_alone = (alone_function *)helper("stir_alone");
    unsigned *words = p->arrays[PIPELINE_BUFFERS];
    const size_t n = p->counts[PIPELINE_BUFFERS];
    double shortest = INFINITY;

    for (int call = 0; call < 3; call++) {
        const uint64_t start = device_now_ns();
        if (rounds > 0)
            stir_alone(words, n, rounds);
        else
            cudaMemcpyAsync(
                words, p->arrays[PIPELINE_IN], n * ELEMENT_BYTES, cudaMemcpyHostToDevice, 0);
        cudaDeviceSynchronize();
        shortest = fmin(shortest, (double)(device_now_ns() - start));
    }
    return shortest;
}

/* Rounds for which the kernel takes KERNEL_SHARE of a copy. Its time is a straight line in them. */
static unsigned scaled_rounds(const struct timed_problem *p)
{
    enum { FEW = 16, MANY = 64 };
    static size_t known_n;
    static unsigned rounds;

    if (known_n != p->n) {
        const double few_ns = shortest_ns(p, FEW), many_ns = shortest_ns(p, MANY);
        const double each_ns = fmax((many_ns - few_ns) / (MANY - FEW), 1.0);
        const double wanted = FEW + (KERNEL_SHARE * shortest_ns(p, 0) - few_ns) / each_ns;
        rounds = (unsigned)fmin(fmax(wanted, 1.0), ROUNDS_MAX);
        known_n = p->n;
    }
    return rounds;
}

static struct pipeline_shape timed_shape(const struct timed_problem *p)
{
    return (struct pipeline_shape){p->n, timed_chunks(), (unsigned)p->facts[0]};
}

/* Of all kernels so far; 0 where nothing counts them. */
static double thread_instructions(void)
{
    return (double)virtual_counters().thread_instructions;
}

static cudaError_t prepare_pipeline(struct timed_problem *p)
{
    p->facts[0] = scaled_rounds(p);
    p->facts[1] = thread_instructions();
    return device_fill_ints(p->arrays[PIPELINE_IN], p->n, INT32_MIN, INT32_MAX, p->seed);
}

static cudaError_t call_timed_pipeline(void *function, const struct timed_problem *p)
{
    return ((pipeline_function)function)(p->arrays[PIPELINE_IN], p->arrays[PIPELINE_OUT],
        p->arrays[PIPELINE_BUFFERS], timed_shape(p));
}

static cudaError_t call_parts_at_once(const struct timed_problem *p)
{
    return call_timed_pipeline(helper("parts_at_once"), p);
}

/* How many words of out differ from what the baseline's kernel makes of in, on the device. */
static cudaError_t differing_words(const struct timed_problem *p, size_t *different)
{
    typedef cudaError_t alone_function(unsigned *words, size_t n, unsigned rounds);
    static uint32_t *want, *got; /* kept for the life of the process */
    static size_t room;
    const size_t bytes = p->n * ELEMENT_BYTES;
    size_t first;
    cudaError_t status = cudaSuccess;

    if (room < p->n) {
        cudaFree(want), cudaFree(got);
        status = cudaMalloc((void **)&want, bytes);
        status = status == cudaSuccess ? cudaMalloc((void **)&got, bytes) : status;
        room = status == cudaSuccess ? p->n : 0;
    }
    if (status == cudaSuccess)
        status = cudaMemcpy(want, p->arrays[PIPELINE_IN], bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(got, p->arrays[PIPELINE_OUT], bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = ((alone_function *)helper("stir_alone"))(want, p->n, timed_shape(p).rounds);
    return status == cudaSuccess ? device_count_differences(got, want, p->n, different, &first)
                                 : status;
}

/* All words on the device, and some by the oracle; on the virtual GPU all by the oracle. */
static bool verify_pipeline(const struct timed_problem *p, char *text, size_t bytes)
{
    const uint32_t *in = p->arrays[PIPELINE_IN], *out = p->arrays[PIPELINE_OUT];
    const size_t step = device_is_virtual() || p->n < SPOTS ? 1 : p->n / SPOTS;
    size_t different = 0;

    /* The virtual GPU's clock does not notice what the host does. */
    if (virtual_calls()->counters &&
        thread_instructions() - p->facts[1] < (double)p->n * timed_shape(p).rounds) {
        snprintf(text, bytes, "no kernel made what is in out");
        return false;
    }
    for (size_t i = p->seed % step; i < p->n; i += step)
        different += out[i] != stirred(in[i], timed_shape(p).rounds);
    if (different == 0 && step > 1 && differing_words(p, &different) != cudaSuccess)
        different = p->n;
    snprintf(text, bytes, "%zu words are wrong or missing", different);
    return different == 0;
}

const struct speed_test pipeline_speed = {
    .limit = LIMIT_LESSON,
    .limit_label = "time that overlap can hide",
    .overlap = true,
    .gate = 0.60,
    .baseline_name = "in one stream",
    .array_count = pipeline_count,
    .outputs = 1 << PIPELINE_OUT,
    .kept = 1 << PIPELINE_BUFFERS,
    .residence = {PINNED_ON_HOST, PINNED_ON_HOST, ON_DEVICE},
    .bytes = pipeline_bytes,
    .size_for = pipeline_words_in,
    .prepare = prepare_pipeline,
    .call = call_timed_pipeline,
    .limit_call = call_parts_at_once,
    .verify = verify_pipeline,
};

enum { CHAIN_IN, CHAIN_ADDENDS, CHAIN_OUT, CHAIN_DEVICE, CHAIN_ARRAYS };
enum { ROW_WORDS = 256, ROWS = 20, LINKS = 1000, VIRTUAL_LINKS = 100 };

/* No GPU gets from one kernel to the next, which depends on it, as fast as this. */
enum { LINK_NS_MIN = 200 };

static bool links_were_fused;
static cudaStream_t timed_stream;

static struct chain_shape timed_chain(void)
{
    return (struct chain_shape){ROW_WORDS, ROWS, device_is_virtual() ? VIRTUAL_LINKS : LINKS};
}

static size_t chain_count(size_t n, int k)
{
    static const size_t counts[] = {[CHAIN_IN] = ROWS * ROW_WORDS,
        [CHAIN_ADDENDS] = ROWS,
        [CHAIN_OUT] = ROWS * ROW_WORDS,
        [CHAIN_DEVICE] = ROW_WORDS + 1};

    (void)n; /* there is one size: launches are what takes the time */
    return k < CHAIN_ARRAYS ? counts[k] : 0;
}

static size_t one_size(size_t bytes)
{
    (void)bytes;
    return 1;
}

static cudaError_t prepare_chains(struct timed_problem *p)
{
    cudaError_t status = timed_stream ? cudaSuccess : cudaStreamCreate(&timed_stream);

    for (int k = CHAIN_IN; k <= CHAIN_ADDENDS && status == cudaSuccess; k++)
        status = device_fill_ints(
            p->arrays[k], p->counts[k], INT32_MIN, INT32_MAX, mix(p->seed, (uint64_t)k));
    return status;
}

static cudaError_t call_timed_chains(void *function, const struct timed_problem *p)
{
    const struct chain_shape shape = timed_chain();
    const struct chain_data data = {p->arrays[CHAIN_IN], p->arrays[CHAIN_ADDENDS],
        p->arrays[CHAIN_OUT], p->arrays[CHAIN_DEVICE]};

    const uint64_t start = device_now_ns();
    const cudaError_t status = ((chains_function)function)(data, shape, timed_stream);
    links_were_fused = device_now_ns() - start < (uint64_t)LINK_NS_MIN * shape.rows * shape.links;
    return status;
}

static bool verify_chains(const struct timed_problem *p, char *text, size_t bytes)
{
    const struct chain_shape s = timed_chain();
    const uint32_t *in = p->arrays[CHAIN_IN], *addends = p->arrays[CHAIN_ADDENDS];
    const uint32_t *out = p->arrays[CHAIN_OUT];
    size_t different = 0;

    for (size_t i = 0; i < s.n * s.rows; i++)
        different += out[i] != linked(in[i], addends[i / s.n], s.links);
    if (links_were_fused)
        snprintf(text, bytes, "each link took less than %d ns: they are no kernels of their own",
            LINK_NS_MIN);
    else
        snprintf(text, bytes, "%zu of %zu words are wrong", different, s.n * s.rows);
    return different == 0 && !links_were_fused;
}

const struct speed_test chains_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 1.6,
    .star = 3.0,
    .baseline_name = "a launch for every kernel",
    .array_count = chain_count,
    .outputs = 1 << CHAIN_OUT,
    .kept = 1 << CHAIN_DEVICE,
    .residence = {PINNED_ON_HOST, PINNED_ON_HOST, PINNED_ON_HOST, ON_DEVICE},
    .size_for = one_size,
    .prepare = prepare_chains,
    .call = call_timed_chains,
    .verify = verify_chains,
    .baseline_iqr_max = 0.25,
};
