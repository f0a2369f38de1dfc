/* See pretty.h.  The demangler is the C++ library's, when the process has one; it is no dependency
 * of ours, and without it names are cut out of the mangled form. */
#define _GNU_SOURCE
#include "pretty.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *, char *, size_t *, int *);

static demangler *find_demangler(void)
{
    static demangler *found;
    static int looked;
    if (!looked) {
        looked = 1;
        void *address = dlsym(RTLD_DEFAULT, "__cxa_demangle");
        void *library = address == NULL ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
        if (library != NULL)
            address = dlsym(library, "__cxa_demangle");
        memcpy(&found, &address, sizeof found);
    }
    return found;
}

/* The last <length><identifier> of the mangled name; for functions the first. */
static void cut_out(const char *mangled, int want_last, char *text, size_t size)
{
    const char *best = mangled;
    size_t best_length = strlen(mangled);
    for (const char *at = mangled; *at != '\0'; at++) {
        if (!isdigit((unsigned char)*at))
            continue;
        char *name;
        size_t length = strtoul(at, &name, 10);
        if (length == 0 || length > strlen(name) || isdigit((unsigned char)*name))
            break;
        best = name;
        best_length = length;
        if (!want_last)
            break;
        at = name + length - 1;
        while (at[1] != '\0' && !isdigit((unsigned char)at[1]))
            at++;
    }
    snprintf(text, size, "%.*s", (int)best_length, best);
}

static char *demangle(const char *mangled)
{
    demangler *run = find_demangler();
    int status = 1;
    char *full = run != NULL ? run(mangled, NULL, NULL, &status) : NULL;
    return status == 0 ? full : NULL;
}

/* Start of the parameter list: the first '(' outside <> that is not "(anonymous namespace)". */
static char *parameters_of(char *full)
{
    int depth = 0;
    for (char *at = full; *at != '\0'; at++) {
        depth += *at == '<';
        depth -= *at == '>' && at > full && at[-1] != '-';
        if (*at == '(' && depth == 0 && strncmp(at, "(anonymous", 10) != 0)
            return at;
        if (*at == '(' && strncmp(at, "(anonymous namespace)", 21) == 0)
            at += 20;
    }
    return NULL;
}

/* Template arguments are printed as (int)16; the cast says nothing to a student. */
static void drop_casts(char *text)
{
    for (char *at = text; (at = strchr(at, '(')) != NULL;) {
        char *end = strchr(at, ')');
        int is_cast = end != NULL && at > text && (at[-1] == '<' || at[-1] == ' ') &&
                      (isdigit((unsigned char)end[1]) || end[1] == '-');
        if (is_cast)
            memmove(at, end + 1, strlen(end + 1) + 1);
        else
            at++;
    }
}

void pretty_function(const char *mangled, char *text, size_t size)
{
    char *full = demangle(mangled);
    if (full == NULL) {
        cut_out(mangled, 0, text, size);
        return;
    }
    drop_casts(full);
    char *parameters = parameters_of(full);
    if (parameters != NULL)
        *parameters = '\0';
    /* A template's return type comes first: "void tiled<16>". */
    char *start = full;
    int depth = 0;
    for (char *at = full; *at != '\0'; at++) {
        depth += *at == '<';
        depth -= *at == '>';
        if (*at == ' ' && depth == 0 && strncmp(at, " namespace", 10) != 0)
            start = at + 1;
    }
    snprintf(text, size, "%s", start);
    free(full);
}

void pretty_variable(const char *mangled, char *text, size_t size)
{
    char *full = demangle(mangled);
    if (full == NULL) {
        cut_out(mangled, 1, text, size);
        return;
    }
    char *start = full;
    int depth = 0;
    for (char *at = full; *at != '\0'; at++) {
        depth += *at == '<' || *at == '(';
        depth -= *at == '>' || *at == ')';
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            start = at + 2;
    }
    snprintf(text, size, "%s", start);
    free(full);
}
