// Homework 5, managed memory: one pointer that the host and the device both follow.
//
// What each function must do stands in managed_memory.h, which the build includes for you.
// The address is the same on both sides, but a page is on one of them: whoever touches a
// page that is elsewhere waits until it has come. README.md has the rest.
#include "cuda_managed.h"
#include "cuda_try.h"

#include <stdlib.h>
#include <string.h>

enum : unsigned {
    THREADS = 256, // of a block
    BLOCKS_MAX = 1 << 20,
};

// Blocks for n elements, n > 0; the threads of the largest grid take several each.
static unsigned blocks_for(size_t n)
{
    size_t blocks = ceil_div(n, THREADS);
    return blocks < BLOCKS_MAX ? (unsigned)blocks : BLOCKS_MAX;
}

// ---- A worked example: the sum of the first n squares -------------------------------

static __global__ void square_kernel(unsigned long long *numbers, size_t n)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        numbers[i] *= numbers[i];
}

// Of the three steps of hw1 only the middle one is left: nothing is copied to the device, and
// nothing back.
cudaError_t sum_of_squares(size_t n, unsigned long long *sum)
{
    cudaError_t status = cudaSuccess;
    unsigned long long *numbers = NULL;

    *sum = 0;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaMallocManaged(&numbers, n * sizeof *numbers));
    for (size_t i = 0; i < n; i++)
        numbers[i] = i; // the host writes: the pages are on its side now
    square_kernel<<<blocks_for(n), THREADS, 0, 0>>>(numbers, n);
    CUDA_TRY(cudaGetLastError());
    // correctness: a launch returns before the kernel has run. Nothing was copied that would
    // have waited for it.
    CUDA_TRY(cudaDeviceSynchronize());
    for (size_t i = 0; i < n; i++)
        *sum += numbers[i]; // and back they come, as they are touched
done:
    cudaFree(numbers); // as any memory of the device
    return status;
}

// ---- hw5.1: a list that both sides walk ---------------------------------------------

cudaError_t list_make(const int *values, size_t n, struct node **list)
{
    cudaError_t status = cudaSuccess;

    *list = NULL;
    // TODO(hw5.1): make the list. About 8 lines.
    //   Given  cudaMallocManaged(&pointer, bytes).
    //   Leave  *list = the first of n managed nodes. On an error: that error in `status`,
    //          and a list that list_free can take as far as it got.
    //   Mind   memory that is fresh holds anything; no values, no nodes; a variable of yours
    //          that points to where the next address belongs, at first `list`, makes the
    //          first node no exception; `list` itself stays, for the clean-up.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.1)
done:
    if (status != cudaSuccess) {
        list_free(*list);
        *list = NULL;
    }
    return status;
}

cudaError_t list_free(struct node *list)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw5.1): free all nodes. About 6 lines.
    //   Mind   a node that is freed can no longer say which one is next.
    status = cudaErrorNotYetImplemented; // delete this line
    // END(hw5.1)
    return status;
}

// TODO(hw5.1): the kernel that walks, about 10 lines: one thread follows `next` to the end.
// END(hw5.1)

cudaError_t list_add(struct node *list, int amount, long long *sum)
{
    cudaError_t status = cudaSuccess;
    long long *total = NULL; // *sum is host memory, which a kernel may not reach
    // TODO(hw5.1): launch it and take its sum home. About 5 lines.
    //   Leave  the values changed, *sum written, and the device idle.
    //   Mind   what may the host read, and when? What does fresh memory hold?
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.1)
done:
    cudaFree(total);
    return status;
}

// ---- hw5.2: pages on the right side -------------------------------------------------

// TODO(hw5.2): a kernel as in the worked example, and what both functions below need.
// END(hw5.2)

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw5.2): move the pages, then launch. About 10 lines.
    //   Given  cudaDeviceGetAttribute with cudaDevAttrConcurrentManagedAccess, cudaGetDevice,
    //          and managed_prefetch(pointer, bytes, place, stream) of cuda_managed.h, where
    //          place is a device's number, or cudaCpuDeviceId.
    //   Leave  the work queued; where the attribute is 1, no page left to fault.
    //   Mind   n = 0; a prefetch counts bytes; where the attribute is 0 it is an error.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.2)
done:
    return status;
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw5.2): the way back. About 8 lines.
    //   Leave  *sum = the sum of data, added up by the host.
    //   Mind   a prefetch returns before a page has moved, as a launch does; *sum may hold
    //          anything before.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.2)
done:
    return status;
}

// ---- hw5.3: deep copies -------------------------------------------------------------

// Where n records do not fit into a size_t, no allocation can be large enough either.
static cudaError_t record_bytes(size_t n, size_t *bytes)
{
    cudaError_t status = cudaSuccess;
    *bytes = 0;
    // TODO(hw5.3): about 3 lines.
    //   Leave  *bytes = the bytes of n records, or an error of your choice in `status` if
    //          there is no such number.
    status = cudaErrorNotYetImplemented; // delete this line
    // END(hw5.3)
    return status;
}

cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    struct record *d_records = NULL; // in device memory: the host must not follow it
    struct record *staged = NULL;    // in host memory: the same records, with the names' twins
    size_t bytes = 0;

    *copy = NULL;
    CUDA_TRY(record_bytes(n, &bytes));
    // TODO(hw5.3): copy by hand. About 15 lines.
    //   Given  `staged`, of n records of the host (calloc), where the names' addresses on
    //          the device can be gathered; the clean-up below, which follows them.
    //   Leave  *copy = d_records: the staged records on the device, with names of their own.
    //   Mind   the host cannot write d_records[i].name; a name ends with a 0.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.3)
done:
    if (status != cudaSuccess) {
        for (size_t i = 0; staged && i < n; i++)
            cudaFree(staged[i].name);
        cudaFree(d_records);
    }
    free(staged);
    return status;
}

cudaError_t free_by_hand(struct record *copy, size_t n)
{
    cudaError_t status = cudaSuccess;
    struct record *staged = NULL; // the names' addresses, where the host can read them
    // TODO(hw5.3): about 8 lines.
    //   Leave  the names freed, and the records.
    //   Mind   only the device can read copy[i].name; `staged` is here for it.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.3)
done:
    free(staged);
    return status;
}

cudaError_t copy_managed(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    struct record *made = NULL;
    size_t bytes = 0;

    *copy = NULL;
    CUDA_TRY(record_bytes(n, &bytes));
    // TODO(hw5.3): the same in managed memory. About 12 lines, and no cudaMemcpy.
    //   Mind   the clean-up below needs names that are made, or NULL.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.3)
done:
    if (status != cudaSuccess)
        free_managed(made, n);
    return status;
}

cudaError_t free_managed(struct record *copy, size_t n)
{
    cudaError_t status = cudaSuccess;
    // TODO(hw5.3): about 5 lines.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.3)
done:
    return status;
}

// ---- hw5.4 (star): a class in managed memory ----------------------------------------

// TODO(hw5.4): two classes, about 60 lines; classes.md has the C++ that they need.
//   Leave  Managed: new, new[], delete and delete[] in managed memory. Text: made of a
//          string, copied, assigned and destroyed, each with characters of its own.
//   Mind   an object assigned to itself; new when there is no memory; a kernel that still
//          uses what is deleted.
static const cudaError_t text_written = cudaErrorNotYetImplemented; // then cudaSuccess

struct Managed {
};

struct Text : Managed {
    size_t length; // without the 0 at the end
    char *chars;   // managed, length + 1 bytes; NULL: there was no memory

    explicit Text(const char *from = "") : length(0), chars(NULL)
    {
    }
};
// END(hw5.4)

// How C reaches the class, and two kernels that do.

static __global__ void upper_kernel(Text &text) // by reference: the object itself
{
    for (size_t i = threadIdx.x; i < text.length; i += blockDim.x)
        if (text.chars[i] >= 'a' && text.chars[i] <= 'z')
            text.chars[i] += 'A' - 'a';
}

static __global__ void count_letter_kernel(Text text, char letter, unsigned *count) // a copy
{
    for (size_t i = threadIdx.x; i < text.length; i += blockDim.x)
        if (text.chars[i] == letter)
            atomicAdd(count, 1);
}

static cudaError_t hand_over(Text *made, struct Text **text)
{
    bool complete = made && made->chars;
    if (made && !complete)
        delete made;
    *text = complete ? made : NULL;
    return complete ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t text_make(const char *chars, struct Text **text)
{
    return text_written == cudaSuccess ? hand_over(new Text(chars), text) : text_written;
}

cudaError_t text_copy(const struct Text *from, struct Text **text)
{
    return hand_over(new Text(*from), text);
}

cudaError_t text_assign(struct Text *to, const struct Text *from)
{
    *to = *from;
    return to->chars ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t text_make_array(size_t n, struct Text **texts)
{
    *texts = new Text[n];
    return *texts ? cudaSuccess : cudaErrorMemoryAllocation;
}

struct Text *text_at(struct Text *texts, size_t i)
{
    return &texts[i];
}

size_t text_length(const struct Text *text)
{
    return text->length;
}

const char *text_chars(const struct Text *text)
{
    return text->chars;
}

cudaError_t text_upper(struct Text *text)
{
    cudaError_t status = cudaSuccess;

    upper_kernel<<<1, THREADS, 0, 0>>>(*text);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
done:
    return status;
}

cudaError_t text_count(const struct Text *text, char letter, unsigned *count)
{
    cudaError_t status = cudaSuccess;
    unsigned *found = NULL;

    CUDA_TRY(cudaMallocManaged(&found, sizeof *found));
    *found = 0;
    count_letter_kernel<<<1, THREADS, 0, 0>>>(*text, letter, found);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
    *count = *found;
done:
    cudaFree(found);
    return status;
}

void text_delete(struct Text *text)
{
    delete text;
}

void text_delete_array(struct Text *texts)
{
    delete[] texts;
}

// ---- hw5.5: one counter, two sides --------------------------------------------------

// TODO(hw5.5): a kernel, about 6 lines: `adds` threads add 1 to *counter.
// END(hw5.5)

cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    // TODO(hw5.5): about 7 lines: launch, then add cpu_adds times 1 here, then wait.
    //   Given  atomicAdd_system for the kernel, __atomic_fetch_add(counter, 1,
    //          __ATOMIC_RELAXED) for the host; `concurrent`.
    //   Mind   a grid of 0 blocks; where `concurrent` is 0 the host has to wait first.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.5)
done:
    return status;
}

// ---- hw5.6: hints -------------------------------------------------------------------

cudaError_t advise(const struct shared_arrays *arrays, int device)
{
    cudaError_t status = cudaSuccess;
    int concurrent = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (!concurrent)
        return cudaSuccess; // there is nothing to advise on: pages do not move one by one
    // TODO(hw5.6): about 8 lines: four times managed_advise(pointer, bytes, advice, place).
    //   Given  cudaMemAdviseSetReadMostly, …SetPreferredLocation, …SetAccessedBy; a place
    //          is a device's number, or cudaCpuDeviceId.
    //   Leave  the advice that fits what managed_memory.h says of each array.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.6)
done:
    return status;
}

// ---- hw5.7 (star): a graph ----------------------------------------------------------

// TODO(hw5.7): kernels, about 25 lines: one sets all levels, one goes a level further. A
// launch a level: every vertex of the level looks at all its neighbours.
//   Given  a list of the vertices of this level, and room for the next one; or a flag that
//          says whether anything was found.
//   Mind   several threads may find one vertex at once: atomicCAS tells which was first.
//          A level that one thread reads plainly while another sets it is a race, too,
//          and so is a flag that several threads set: atomicExch.
// END(hw5.7)

cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start)
{
    cudaError_t status = cudaSuccess;
    struct vertex **list = NULL, **next = NULL; // of this level, of the next one
    unsigned *found = NULL;                     // how many are in the next one
    // TODO(hw5.7): about 20 lines: launch until a level is empty.
    //   Mind   the host reads and clears what the kernel counts: not while it runs.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
    // END(hw5.7)
done:
    cudaFree(list);
    cudaFree(next);
    cudaFree(found);
    return status;
}
