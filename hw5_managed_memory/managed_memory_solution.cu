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
    // SOLVED(hw5.1)
    struct node **end = list; // where the address of the next node belongs

    for (size_t i = 0; i < n; i++) {
        CUDA_TRY(cudaMallocManaged(end, sizeof **end));
        (*end)->value = values[i];
        (*end)->next = NULL; // correctness: the list has an end also when this is the last node
        end = &(*end)->next;
    }
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
    // SOLVED(hw5.1)
    while (list) {
        struct node *next = list->next; // correctness: read before its node is gone
        cudaError_t freed = cudaFree(list);
        status = status == cudaSuccess ? freed : status;
        list = next;
    }
    // END(hw5.1)
    return status;
}

// SOLVED(hw5.1)
static __global__ void list_add_kernel(struct node *list, int amount, long long *sum)
{
    long long total = 0;

    for (struct node *at = list; at; at = at->next) {
        at->value += amount;
        total += at->value;
    }
    *sum = total;
}
// END(hw5.1)

cudaError_t list_add(struct node *list, int amount, long long *sum)
{
    cudaError_t status = cudaSuccess;
    long long *total = NULL; // *sum is host memory, which a kernel may not reach
    // SOLVED(hw5.1)
    CUDA_TRY(cudaMallocManaged(&total, sizeof *total));
    list_add_kernel<<<1, 1, 0, 0>>>(list, amount, total);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
    *sum = *total;
    // END(hw5.1)
done:
    cudaFree(total);
    return status;
}

// ---- hw5.2: pages on the right side -------------------------------------------------

// SOLVED(hw5.2)
static __global__ void increment_kernel(int *data, size_t n, int amount)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        data[i] += amount;
}

// Moves pages to a place, in one go, where pages move at all: elsewhere a launch takes all
// managed memory along, and a prefetch is an error.
static cudaError_t prefetch_if_possible(
    const void *data, size_t bytes, bool to_device, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (concurrent)
        CUDA_TRY(managed_prefetch(data, bytes, to_device ? device : cudaCpuDeviceId, stream));
done:
    return status;
}
// END(hw5.2)

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    // SOLVED(hw5.2)
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(prefetch_if_possible(data, n * sizeof *data, true, stream));
    increment_kernel<<<blocks_for(n), THREADS, 0, stream>>>(data, n, amount);
    CUDA_TRY(cudaGetLastError());
    // END(hw5.2)
done:
    return status;
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    // SOLVED(hw5.2)
    *sum = 0;
    if (n > 0)
        CUDA_TRY(prefetch_if_possible(data, n * sizeof *data, false, stream));
    CUDA_TRY(cudaStreamSynchronize(stream)); // correctness: a prefetch is only queued, too
    for (size_t i = 0; i < n; i++)
        *sum += data[i];
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
    // SOLVED(hw5.3)
    *bytes = n * sizeof(struct record);
    if (*bytes / sizeof(struct record) != n)
        status = cudaErrorMemoryAllocation;
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
    // SOLVED(hw5.3)
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaMalloc(&d_records, bytes));
    staged = (struct record *)calloc(n, sizeof *staged); // names not made yet are NULL
    CUDA_TRY(staged ? cudaSuccess : cudaErrorMemoryAllocation);
    for (size_t i = 0; i < n; i++) {
        size_t name_bytes = (size_t)records[i].length + 1; // correctness: and the 0

        staged[i].key = records[i].key;
        staged[i].length = records[i].length;
        CUDA_TRY(cudaMalloc(&staged[i].name, name_bytes));
        CUDA_TRY(cudaMemcpy(staged[i].name, records[i].name, name_bytes, cudaMemcpyHostToDevice));
    }
    CUDA_TRY(cudaMemcpy(d_records, staged, bytes, cudaMemcpyHostToDevice));
    *copy = d_records;
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
    // SOLVED(hw5.3)
    if (!copy)
        return cudaSuccess;
    staged = (struct record *)malloc(n * sizeof *staged);
    CUDA_TRY(staged ? cudaSuccess : cudaErrorMemoryAllocation);
    CUDA_TRY(cudaMemcpy(staged, copy, n * sizeof *staged, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CUDA_TRY(cudaFree(staged[i].name));
    CUDA_TRY(cudaFree(copy));
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
    // SOLVED(hw5.3)
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaMallocManaged(&made, bytes));
    memset(made, 0, bytes); // names not made yet are NULL
    for (size_t i = 0; i < n; i++) {
        size_t name_bytes = (size_t)records[i].length + 1;

        made[i].key = records[i].key;
        made[i].length = records[i].length;
        CUDA_TRY(cudaMallocManaged(&made[i].name, name_bytes));
        memcpy(made[i].name, records[i].name, name_bytes);
    }
    *copy = made;
    // END(hw5.3)
done:
    if (status != cudaSuccess)
        free_managed(made, n);
    return status;
}

cudaError_t free_managed(struct record *copy, size_t n)
{
    cudaError_t status = cudaSuccess;
    // SOLVED(hw5.3)
    if (!copy)
        return cudaSuccess;
    for (size_t i = 0; i < n; i++)
        CUDA_TRY(cudaFree(copy[i].name));
    CUDA_TRY(cudaFree(copy));
    // END(hw5.3)
done:
    return status;
}

// ---- hw5.4 (star): a class in managed memory ----------------------------------------

// SOLVED(hw5.4)
static const cudaError_t text_written = cudaSuccess;

// Whatever is derived from this lies in managed memory when it is made by new.
struct Managed {
    static void *allocate(size_t bytes)
    {
        void *memory = NULL;
        return cudaMallocManaged(&memory, bytes) == cudaSuccess ? memory : NULL;
    }

    static void release(void *memory)
    {
        cudaDeviceSynchronize(); // correctness: a kernel may still use it
        cudaFree(memory);
    }

    // Without noexcept new would call the constructor on NULL.
    static void *operator new(size_t bytes) noexcept
    {
        return allocate(bytes);
    }

    static void *operator new[](size_t bytes) noexcept
    {
        return allocate(bytes);
    }

    static void operator delete(void *memory)
    {
        release(memory);
    }

    static void operator delete[](void *memory)
    {
        release(memory);
    }
};

struct Text : Managed {
    size_t length;
    char *chars; // NULL: there was no memory

    explicit Text(const char *from = "")
    {
        set(from, strlen(from));
    }

    Text(const Text &other)
    {
        set(other.chars, other.length);
    }

    // The copy is made first, so that a text can be assigned to itself.
    Text &operator=(const Text &other)
    {
        char *old = chars;
        set(other.chars, other.length);
        release(old);
        return *this;
    }

    // Runs also for the copy that a kernel got by value, as soon as it is launched.
    ~Text()
    {
        release(chars);
    }

  private:
    void set(const char *from, size_t from_length)
    {
        char *made = (char *)allocate(from_length + 1);
        if (made && from)
            memcpy(made, from, from_length);
        if (made)
            made[from_length] = 0;
        chars = made;
        length = made ? from_length : 0;
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

// SOLVED(hw5.5)
static __global__ void count_kernel(unsigned *counter, size_t adds)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    // A plain atomicAdd is atomic for the threads of this device only.
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < adds; i += stride)
        atomicAdd_system(counter, 1);
}
// END(hw5.5)

cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    // SOLVED(hw5.5)
    if (gpu_adds > 0)
        count_kernel<<<blocks_for(gpu_adds), THREADS, 0, 0>>>(counter, gpu_adds);
    CUDA_TRY(cudaGetLastError());
    if (!concurrent) // correctness: the host may not touch the page while a kernel runs
        CUDA_TRY(cudaDeviceSynchronize());
    for (size_t i = 0; i < cpu_adds; i++)
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    CUDA_TRY(cudaDeviceSynchronize());
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
    // SOLVED(hw5.6)
    // A copy on each side, which a write would have to take away again.
    CUDA_TRY(managed_advise(arrays->table, arrays->table_count * sizeof *arrays->table,
        cudaMemAdviseSetReadMostly, device));
    CUDA_TRY(managed_advise(arrays->state, arrays->state_count * sizeof *arrays->state,
        cudaMemAdviseSetPreferredLocation, device));
    // Stays where it is written; the device reads its few elements across the link, without a
    // fault, and no page travels.
    CUDA_TRY(managed_advise(arrays->orders, arrays->order_count * sizeof *arrays->orders,
        cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    CUDA_TRY(managed_advise(arrays->orders, arrays->order_count * sizeof *arrays->orders,
        cudaMemAdviseSetAccessedBy, device));
    // END(hw5.6)
done:
    return status;
}

// ---- hw5.7 (star): a graph ----------------------------------------------------------

// SOLVED(hw5.7)
static __global__ void unreach_kernel(struct vertex *vertices, size_t n, struct vertex *start)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        vertices[i].level = &vertices[i] == start ? 0 : UNREACHED;
}

// Every vertex of this level, a thread each, reaches those of its neighbours that nobody has
// reached before, and puts them into the list of the next level.
static __global__ void next_level_kernel(
    struct vertex *const *list, unsigned count, int level, struct vertex **next, unsigned *found)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    for (unsigned k = 0; i < count && k < list[i]->neighbour_count; k++) {
        struct vertex *neighbour = list[i]->neighbours[k];

        // correctness: several threads may come to one neighbour at once; one is the first
        if (atomicCAS(&neighbour->level, UNREACHED, level + 1) == UNREACHED)
            next[atomicAdd(found, 1)] = neighbour;
    }
}
// END(hw5.7)

cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start)
{
    cudaError_t status = cudaSuccess;
    struct vertex **list = NULL, **next = NULL; // of this level, of the next one
    unsigned *found = NULL;                     // how many are in the next one
    // SOLVED(hw5.7)
    unsigned count = 1; // how many are in this one

    CUDA_TRY(cudaMallocManaged(&list, n * sizeof *list));
    CUDA_TRY(cudaMallocManaged(&next, n * sizeof *next));
    CUDA_TRY(cudaMallocManaged(&found, sizeof *found));
    unreach_kernel<<<blocks_for(n), THREADS, 0, 0>>>(vertices, n, start);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize()); // correctness: only now may the host write
    list[0] = start;
    for (int level = 0; count > 0; level++) {
        struct vertex **last = list;

        *found = 0;
        next_level_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, 0>>>(
            list, count, level, next, found);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaDeviceSynchronize());
        count = *found;
        list = next;
        next = last;
    }
    // END(hw5.7)
done:
    cudaFree(list);
    cudaFree(next);
    cudaFree(found);
    return status;
}
