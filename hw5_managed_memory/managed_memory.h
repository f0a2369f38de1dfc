/* Homework 5, the contract: what your file defines and the grader calls.
 *
 * Managed memory is memory from cudaMallocManaged: one address for host and device. Every function
 * returns the first error that any CUDA call gave, with everything it allocated freed, unless it
 * hands it over. A function that is said to block returns when the device is idle; the host may
 * then use all managed memory, which it must not do earlier where the device attribute
 * concurrentManagedAccess is 0. */
#ifndef MANAGED_MEMORY_H
#define MANAGED_MEMORY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- hw5.1: a list that both sides walk ---- */

struct node {
    struct node *next; /* NULL: the last one */
    int value;
};

/* *list = the first of n nodes in managed memory, with these values in this order.
 *
 *   values  host, n ints
 *   n       any; 0 yields NULL
 *   list    host, 1 pointer; NULL after an error
 */
cudaError_t list_make(const int *values, size_t n, struct node **list);

/* The device walks the list once, and adds `amount` to every value. Blocks.
 *
 *   list    of list_make, or NULL; the host may have changed its values since
 *   sum     host, 1 number: the sum of the new values, which the device has added up
 */
cudaError_t list_add(struct node *list, int amount, long long *sum);

/* Frees all that list_make allocated; NULL is legal. */
cudaError_t list_free(struct node *list);

/* ---- hw5.2: pages on the right side ---- */

/* data[i] += amount for i < n, by a kernel. Queues its work on `stream` and returns.
 *
 *   data    managed, n ints, 256-byte aligned; the host has just written them
 *   n       any; 0 is legal and does nothing
 *
 * Where concurrentManagedAccess is 1, no page of data faults in the kernel.
 * Moves 4n bytes to the device.
 */
cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream);

/* *sum = data[0] + … + data[n - 1], added up by the host, after what is queued on `stream`. Where
 * concurrentManagedAccess is 1, all pages of data are moved to the host first, at once. Blocks.
 *
 *   data    managed, n ints, not modified
 *   n       any; 0 yields 0
 *   sum     host, 1 number
 */
cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream);

/* ---- hw5.3: deep copies ---- */

struct record {
    int key;
    int length; /* of the name, without the 0 at its end; may be 0 */
    char *name; /* length + 1 bytes */
};

/* *copy = a deep copy of n records: the records and, at their names' pointers, the names, all in
 * device memory (by hand) or all in managed memory. Nothing of it points into host memory. Blocks.
 *
 *   records host, n records, not modified
 *   n       any; 0 yields NULL; n * sizeof(struct record) may not fit in 32 bits, or in a size_t:
 *           that is an error, not a smaller copy
 *   copy    host, 1 pointer; NULL after an error
 *
 * The room for the n records is allocated first, before any record is read.
 */
cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy);
cudaError_t copy_managed(const struct record *records, size_t n, struct record **copy);

/* Frees such a copy of n records; NULL is legal. */
cudaError_t free_by_hand(struct record *copy, size_t n);
cudaError_t free_managed(struct record *copy, size_t n);

/* ---- hw5.4 (star): a class in managed memory ---- */

struct Text; /* in C++ a class of yours: a string in managed memory */

/* These are written for you; they are how C reaches your class. A text that cannot be made is NULL
 * and cudaErrorMemoryAllocation. */
cudaError_t text_make(const char *chars, struct Text **text);
cudaError_t text_copy(const struct Text *from, struct Text **text); /* the copy constructor */
cudaError_t text_assign(struct Text *to, const struct Text *from);  /* the assignment */
cudaError_t text_make_array(size_t n, struct Text **texts);         /* new[]: n empty texts */
struct Text *text_at(struct Text *texts, size_t i);                 /* &texts[i] */
size_t text_length(const struct Text *text);                        /* without the 0 */
const char *text_chars(const struct Text *text);                    /* managed, ends with a 0 */
cudaError_t text_upper(struct Text *text); /* a to z become A to Z. Blocks. */
cudaError_t text_count(const struct Text *text, char letter, unsigned *count); /* Blocks. */
void text_delete(struct Text *text);
void text_delete_array(struct Text *texts);

/* ---- hw5.5: one counter, two sides ---- */

/* The device and the host add 1 to one counter, at the same time. Blocks.
 *
 *   counter  managed, 1 number, which is added to
 *   gpu_adds times that the device adds 1, in as many threads; may be 0
 *   cpu_adds times that the host adds 1; may be 0
 *
 * Both sides use atomics of system scope. The calling thread makes the host's additions between
 * the launch and whatever waits for it; where concurrentManagedAccess is 0, after the device.
 */
cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds);

/* ---- hw5.6: hints ---- */

/* Three arrays in managed memory, an allocation each, and who will use them. */
struct shared_arrays {
    /* Both sides read it again and again; nobody writes it any more. */
    const float *table;
    size_t table_count;
    /* Every launch reads and writes all of it; the host looks at it once, at the end. */
    float *state;
    size_t state_count;
    /* The host writes all of it before every launch; the launch reads a few of its elements. */
    int *orders;
    size_t order_count;
};

/* Gives the driver the advice that fits each of them, for this device; moves nothing. Where
 * concurrentManagedAccess is 0 it gives none and returns cudaSuccess. */
cudaError_t advise(const struct shared_arrays *arrays, int device);

/* ---- hw5.7 (star): a graph ---- */

struct vertex {
    struct vertex **neighbours; /* managed, neighbour_count pointers to vertices */
    unsigned neighbour_count;
    int level;
};

enum { UNREACHED = -1 };

/* Breadth-first search by the device: the level of every vertex becomes the least number of edges
 * on a way from the start, UNREACHED where there is none. Blocks.
 *
 *   vertices managed, n vertices; their levels hold junk
 *   n        at least 1
 *   start    one of them
 *
 * Edges lead from a vertex to its neighbours, and not back; there may be several between the same
 * two, and some from a vertex to itself.
 */
cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start);

#ifdef __cplusplus
}
#endif

#endif
