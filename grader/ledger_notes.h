/* Between the two halves of the ledger: runtime_calls.c stands in the candidate's way to the CUDA
 * runtime and tells ledger.c what passes. Nobody else includes this. */
#ifndef GRADER_LEDGER_NOTES_H
#define GRADER_LEDGER_NOTES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allocation_note {
    void *pointer;
    size_t bytes;
    bool pinned; /* host memory: freed by cudaFreeHost */
};

/* True if this call is to be recorded: a recording is open, and the call does not come from
 * inside the runtime, serving another call. Every true needs one ledger_leave(). */
bool ledger_enter(void);
void ledger_leave(void);

/* What a call that is recorded gave; `call` is its name, kept. */
void ledger_note_status(const char *call, cudaError_t status);

/* Counts a request for memory. True if it is the one that has to fail. */
bool ledger_must_fail(size_t bytes);

/* `ns`: how long the call took. */
void ledger_note_allocation(const struct allocation_note *note, uint64_t ns);

/* Host memory that kernels reach from now on, though the runtime did not allocate it. */
void ledger_note_registered(cudaError_t status, size_t bytes);

/* Takes the note of an allocation out of the books, before it is freed: another thread may get the
 * same address at once. False: none of ours. A free that failed is undone with untake. */
bool ledger_take(void *pointer, struct allocation_note *note);
void ledger_untake(const struct allocation_note *note);
void ledger_note_free(void);
void ledger_note_foreign_free(void);

/* `from`: NULL if what is copied is not there yet. */
void ledger_note_copy(cudaError_t status, enum cudaMemcpyKind given, enum cudaMemcpyKind actual,
    const void *from, size_t bytes);
/* `device`: whose stream got the launch; -1 if that is not known. */
void ledger_note_launch(cudaError_t status, dim3 grid, dim3 block, size_t shared_bytes, int device);
void ledger_note_cooperative(cudaError_t status); /* after the launch itself */
void ledger_note_synchronisation(void);

enum handle_kind { HANDLE_STREAM, HANDLE_EVENT, HANDLE_GRAPH, HANDLE_EXECUTABLE_GRAPH };
void ledger_note_made(cudaError_t status, enum handle_kind kind);
void ledger_note_destroyed(cudaError_t status, enum handle_kind kind);
/* `roots`: the graph's nodes that depend on nothing. */
void ledger_note_roots(size_t roots);
void ledger_note_capture(cudaError_t status);
void ledger_note_graph_launch(cudaError_t status);

/* Defined in runtime_calls.c: frees by the runtime's own functions, unrecorded. */
void runtime_free(const struct allocation_note *note);

#endif
