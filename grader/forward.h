/* For functions that stand in the way of the CUDA runtime's own of the same name: they are defined in
 * the executable, found first, and hand on to the next definition in the search order, which is the
 * runtime's (or the virtual GPU's). */
#ifndef GRADER_FORWARD_H
#define GRADER_FORWARD_H

#include <cuda_runtime_api.h>

#include "ledger_notes.h"

/* The runtime's own function of that name, looked up once; NULL, and a line on stderr, if there is none.
 * Several threads may call. Defined in runtime_calls.c. */
void *runtime_function(void **slot, const char *name);

/* The name after the toolkit's own macros: some functions have a second version. */
#define NAME(function) NAME_AS_IT_IS(function)
#define NAME_AS_IT_IS(function) #function

/* Declares `next`, the runtime's own function; the caller ends here where there is none. */
#define RUNTIME(function)                                                                   \
    static void *slot;                                                                      \
    __typeof__(&function) next = (__typeof__(next))runtime_function(&slot, NAME(function)); \
    if (!next)                                                                              \
    return cudaErrorNotSupported

/* The whole body of a function: looks up, forwards, and records if recording. */
#define FORWARD(function, arguments, record)    \
    RUNTIME(function);                          \
    if (!ledger_enter())                        \
        return next arguments;                  \
    const cudaError_t status = next arguments;  \
    record;                                     \
    ledger_note_status(NAME(function), status); \
    ledger_leave();                             \
    return status

#endif
