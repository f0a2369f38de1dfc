/* Opening the candidate. Its symbols stay local: its `main`, its copies of Criterion's or CUDA's
 * symbols and its clock_gettime() never reach the harness. */
#define _GNU_SOURCE
#include "candidate.h"

#include <dlfcn.h>
#include <stdio.h>

void *candidate_function(const char *path, const char *name, char *text, size_t text_bytes)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        snprintf(text, text_bytes, "it cannot be loaded: %s", dlerror());
        return NULL;
    }
    void *function = dlsym(object, name);
    if (!function)
        snprintf(
            text, text_bytes, "it defines no function %s(), which the contract asks for", name);
    return function;
}
