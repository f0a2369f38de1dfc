/* Opening the candidate. Its symbols stay local: its `main`, its copies of Criterion's or CUDA's
 * symbols and its clock_gettime() never reach the harness. */
#define _GNU_SOURCE
#include "candidate.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ library, which every grader is linked with. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *bytes, int *status);

/* A function that is called and defined nowhere is only missed here: a shared object may be linked
 * without it. */
static void explain_loading(const char *problem, char *text, size_t text_bytes)
{
    static const char mark[] = "undefined symbol: ";
    const char *missing = problem ? strstr(problem, mark) : NULL;
    int status = -1;

    if (!missing) {
        snprintf(text, text_bytes, "it cannot be loaded: %s", problem ? problem : "");
        return;
    }
    missing += strlen(mark);
    char *plain = __cxa_demangle(missing, NULL, NULL, &status);
    snprintf(text, text_bytes, "it calls %s, which no part of the file defines",
        plain && status == 0 ? plain : missing);
    free(plain);
}

void *candidate_function(const char *path, const char *name, char *text, size_t text_bytes)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        explain_loading(dlerror(), text, text_bytes);
        return NULL;
    }
    void *function = dlsym(object, name);
    if (!function)
        snprintf(
            text, text_bytes, "it defines no function %s() with the contract's parameters", name);
    return function;
}
