/* hw5.4: a class that lives in managed memory. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "checks.h"
#include "grader/mix.h"

struct text_functions {
    typeof(&text_make) make;
    typeof(&text_copy) copy;
    typeof(&text_assign) assign;
    typeof(&text_make_array) make_array;
    typeof(&text_at) at;
    typeof(&text_length) length;
    typeof(&text_chars) chars;
    typeof(&text_upper) upper;
    typeof(&text_count) count;
    typeof(&text_delete) delete;
    typeof(&text_delete_array) delete_array;
};

static void find_text_functions(struct trial *t, struct text_functions *f)
{
    f->copy = companion(t, "text_copy");
    f->assign = companion(t, "text_assign");
    f->make_array = companion(t, "text_make_array");
    f->at = companion(t, "text_at");
    f->length = companion(t, "text_length");
    f->chars = companion(t, "text_chars");
    f->upper = companion(t, "text_upper");
    f->count = companion(t, "text_count");
    f->delete = companion(t, "text_delete");
    f->delete_array = companion(t, "text_delete_array");
}

struct text_run {
    struct trial *t;
    struct text_functions f;
    char *first, *second; /* what the texts hold, of different lengths */
    cudaError_t status;   /* of the calls so far: after an error no more are made */
};

static bool goes_on(const struct text_run *run)
{
    return trial_healthy(run->t) && run->status == cudaSuccess;
}

#define STEP(run, call) ((run)->status = goes_on(run) ? (run)->f.call : (run)->status)

/* A text that must be in managed memory, itself and its characters, and hold these. */
static void look_at_text(
    struct text_run *run, const char *which, const struct Text *text, const char *want)
{
    if (!goes_on(run))
        return;
    if (type_of(text) != cudaMemoryTypeManaged) {
        wrong(run->t, "object-not-managed", "%s: the object lies in %s", which, type_name(text));
        return;
    }
    const char *chars = run->f.chars(text);
    if (type_of(chars) != cudaMemoryTypeManaged)
        wrong(
            run->t, "object-not-managed", "%s: its characters lie in %s", which, type_name(chars));
    else if (run->f.length(text) != strlen(want))
        wrong(run->t, "wrong-text", "%s: it has the length %zu, expected %zu", which,
            run->f.length(text), strlen(want));
    else if (strcmp(chars, want) != 0)
        wrong(
            run->t, "wrong-text", "%s: it holds \"%.60s\", expected \"%.60s\"", which, chars, want);
}

static void look_for_sharing(
    struct text_run *run, const char *which, const struct Text *a, const struct Text *b)
{
    if (goes_on(run) && run->f.chars(a) == run->f.chars(b))
        wrong(run->t, "shallow-copy", "%s has the characters of the original, not its own", which);
}

/* The copy is changed on the device; the original must not change with it. */
static void use_two_texts(struct text_run *run, struct Text *text, struct Text *copy)
{
    char upper[128];
    unsigned letters = 0, wanted = 0;

    for (size_t i = 0; i <= strlen(run->first); i++) {
        upper[i] = (char)toupper(run->first[i]);
        wanted += run->first[i] == 'e';
    }
    look_at_text(run, "a copy", copy, run->first);
    look_for_sharing(run, "a copy", text, copy);
    STEP(run, upper(copy));
    look_at_text(run, "a copy in upper case", copy, upper);
    look_at_text(run, "the original of a copy", text, run->first);
    STEP(run, count(text, 'e', &letters));
    if (goes_on(run) && letters != wanted)
        wrong(
            run->t, "wrong-text", "the device counted %u letters e, expected %u", letters, wanted);
    look_at_text(run, "a text that a kernel got by value", text, run->first);
}

static void assign_texts(struct text_run *run, struct Text *text, struct Text *other)
{
    STEP(run, assign(other, text));
    look_at_text(run, "the target of an assignment", other, run->first);
    look_for_sharing(run, "the target of an assignment", text, other);
    STEP(run, assign(text, text));
    look_at_text(run, "a text assigned to itself", text, run->first);
}

static void use_text_array(struct text_run *run, const struct Text *text)
{
    enum { N = 3 };
    struct Text *texts = NULL;

    STEP(run, make_array(N, &texts));
    for (size_t i = 0; i < N && goes_on(run); i++)
        look_at_text(run, "a text of an array", run->f.at(texts, i), "");
    STEP(run, assign(run->f.at(texts, 1), text));
    if (goes_on(run))
        look_at_text(run, "a text of an array", run->f.at(texts, 1), run->first);
    if (goes_on(run))
        run->f.delete_array(texts);
}

static cudaError_t use_texts(struct text_run *run)
{
    struct Text *const unwritten = (struct Text *)POISON_WORD;
    struct Text *text = unwritten, *copy = NULL, *other = NULL;

    STEP(run, make(run->first, &text));
    if (run->status == cudaSuccess && text == unwritten)
        wrong(run->t, "unwritten", "*text was not written");
    if (goes_on(run))
        find_text_functions(run->t, &run->f);
    look_at_text(run, "a new text", text, run->first);
    STEP(run, copy(text, &copy));
    if (goes_on(run))
        use_two_texts(run, text, copy);
    STEP(run, make(run->second, &other));
    if (goes_on(run))
        assign_texts(run, text, other);
    if (goes_on(run))
        use_text_array(run, text);
    if (goes_on(run))
        run->f.delete(text), run->f.delete(copy), run->f.delete(other);
    return run->status;
}

void check_text(struct trial *t)
{
    static const size_t lengths[][2] = {{20, 5}, {5, 20}, {0, 7}, {100, 0}};
    char texts[2][128];

    for (size_t i = 0; i < LENGTH(lengths); i++) {
        if (!trial_begin(t, "length%zu-and-%zu", lengths[i][0], lengths[i][1]))
            continue;
        for (size_t which = 0; which < 2; which++) {
            memset(texts[which], 0, sizeof texts[which]);
            for (size_t k = 0; k < lengths[i][which]; k++)
                texts[which][k] = (char)mixed_integer(trial_seed(t) + which, k, 'a', 'j');
        }
        struct text_run run = {.t = t,
            .f = {.make = (typeof(&text_make))trial_function(t)},
            .first = texts[0],
            .second = texts[1]};
        (void)TRIAL_CALL(t, use_texts(&run));
    }
}
