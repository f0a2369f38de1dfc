/* From the virtual GPU's words to verdicts. */
#include "virtual_findings.h"

#include <stdio.h>
#include <string.h>

#include "virtual_calls.h"

/* Of one call; what it does wrong after these is not looked at. */
enum { FINDINGS_MAX = 16 };

/* Words that are not here are judged by the error that the call returned. */
static const struct {
    const char *word;
    enum verdict verdict;
} verdicts[] = {
    {"out-of-bounds", MEMORY_ERROR},
    {"misaligned", MEMORY_ERROR},
    {"use-after-free", MEMORY_ERROR},
    {"host-pointer", MEMORY_ERROR},
    {"null-pointer", MEMORY_ERROR},
    {"read-only", MEMORY_ERROR},
    {"heap", MEMORY_ERROR},
    {"uninitialised", UNINITIALISED},
    {"shared-race", RACE},
    {"global-race", RACE},
    {"stream-race", RACE},
    {"atomic-scope", RACE},
    {"barrier", BARRIER},
    {"warp-sync", BARRIER},
    {"deadlock", BARRIER},
};

static enum verdict verdict_of(const char *word)
{
    for (size_t i = 0; i < LENGTH(verdicts); i++)
        if (strcmp(verdicts[i].word, word) == 0)
            return verdicts[i].verdict;
    return VERDICT_NONE;
}

/* In a case with a stream of the caller's there is one likely reason. */
static const char *diagnosis_of(const struct trial *trial, const char *word)
{
    return trial_stream(trial) && strcmp(word, "stream-race") == 0 ? "other-stream" : word;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void virtual_findings_clear(void)
{
    if (virtual_calls()->clear)
        virtual_calls()->clear();
}

static void describe(const struct vgpu_finding *finding, char *text, size_t bytes)
{
    if (finding->line > 0)
        snprintf(
            text, bytes, "%s:%u  %s", base_name(finding->file), finding->line, finding->message);
    else
        snprintf(text, bytes, "%s", finding->message);
}

/* `findings` has room for FINDINGS_MAX. How many there are: none on a real GPU. */
static size_t seen_so_far(struct vgpu_finding *findings)
{
    const size_t count =
        virtual_calls()->findings ? virtual_calls()->findings(findings, FINDINGS_MAX) : 0;
    return count < FINDINGS_MAX ? count : FINDINGS_MAX;
}

bool virtual_finding_text(const char *word, char *text, size_t bytes)
{
    struct vgpu_finding findings[FINDINGS_MAX];
    const size_t count = seen_so_far(findings);

    for (size_t i = 0; i < count; i++)
        if (strcmp(findings[i].word, word) == 0) {
            describe(&findings[i], text, bytes);
            return true;
        }
    return false;
}

void virtual_findings_take(struct trial *trial)
{
    struct vgpu_finding findings[FINDINGS_MAX];
    const size_t count = seen_so_far(findings);

    for (size_t i = 0; i < count; i++) {
        const struct vgpu_finding *finding = &findings[i];
        const enum verdict verdict = verdict_of(finding->word);
        if (verdict == VERDICT_NONE)
            continue;
        char text[sizeof((struct outcome *)0)->safety_text];
        describe(finding, text, sizeof text);
        trial_finding(trial, verdict, diagnosis_of(trial, finding->word), "%s", text);
    }
}
