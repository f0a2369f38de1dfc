/* Fault injection: VGPU_FAIL=cudaMalloc:3 makes the third cudaMalloc of the process fail.
 *
 * The value is a list, separated by commas, of function:call or function:call:error, with the
 * error by name (cudaErrorInvalidValue). Without one it is what the function fails with when
 * memory runs out, or cudaErrorUnknown.
 */
#define _GNU_SOURCE /* strdup, strtok_r */
#include "rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 16, NAME_MAX_BYTES = 64 };

struct rule {
    char function[NAME_MAX_BYTES];
    unsigned long call; /* 1 is the first */
    unsigned long seen;
    cudaError_t error;
};

static struct rule rules[RULES_MAX];
static size_t rule_count;
static bool rules_known;

static cudaError_t usual_error(const char *function)
{
    static const char *const allocate[] = {"cudaMalloc", "cudaHostAlloc", "cudaHostRegister"};
    for (size_t i = 0; i < sizeof allocate / sizeof allocate[0]; i++)
        if (strncmp(function, allocate[i], strlen(allocate[i])) == 0)
            return cudaErrorMemoryAllocation;
    return cudaErrorUnknown;
}

static void add_rule(const char *text)
{
    char error[NAME_MAX_BYTES] = "";
    struct rule *rule = &rules[rule_count];
    if (rule_count == RULES_MAX ||
        sscanf(text, "%63[^:]:%lu:%63s", rule->function, &rule->call, error) < 2) {
        fprintf(stderr, "virtual GPU: VGPU_FAIL: \"%s\" is not function:call\n", text);
        return;
    }
    const int code = error[0] == '\0' ? (int)usual_error(rule->function) : rt_error_by_name(error);
    if (code < 0) {
        fprintf(stderr, "virtual GPU: VGPU_FAIL: no error is called %s\n", error);
        return;
    }
    rule->error = (cudaError_t)code;
    rule_count++;
}

static void read_rules(void)
{
    const char *value = getenv("VGPU_FAIL");
    char *copy = value == NULL ? NULL : strdup(value), *rest = NULL;
    for (char *word = copy == NULL ? NULL : strtok_r(copy, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest))
        add_rule(word);
    free(copy);
    rules_known = true;
}

cudaError_t rt_injected_failure(const char *function)
{
    if (!rules_known)
        read_rules();
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < rule_count; i++)
        if (strcmp(rules[i].function, function) == 0 && ++rules[i].seen == rules[i].call)
            error = rules[i].error;
    return error;
}
