// Few allocations and few passes: one block for a list, one for a deep copy, 16-byte accesses, one
// system-scope addition a block, and a search that relaxes every edge until nothing changes.
#include "cuda_managed.h"
#include "cuda_try.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static cudaError_t ask(int *device, int *concurrent)
{
    cudaError_t status = cudaGetDevice(device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(concurrent, cudaDevAttrConcurrentManagedAccess, *device);
    return status;
}

// ---- hw5.1: the sum is kept behind the last node, where one allocation serves for all -

struct whole_list {
    long long sum;
    struct node nodes[1];
};

static struct whole_list *whole(struct node *list)
{
    return (struct whole_list *)((char *)list - offsetof(struct whole_list, nodes));
}

cudaError_t list_make(const int *values, size_t n, struct node **list)
{
    struct whole_list *made = NULL;
    *list = NULL;
    if (n == 0)
        return cudaSuccess;
    cudaError_t status = cudaMallocManaged(&made, sizeof *made + (n - 1) * sizeof(struct node));
    if (status != cudaSuccess)
        return status;
    for (size_t i = n; i-- > 0;)
        made->nodes[i] = {i + 1 < n ? &made->nodes[i + 1] : NULL, values[i]};
    *list = made->nodes;
    return cudaSuccess;
}

cudaError_t list_free(struct node *list)
{
    return list ? cudaFree(whole(list)) : cudaSuccess;
}

static __global__ void walk(struct node *list, int amount, long long *sum)
{
    long long total = 0;
    for (; list; list = list->next)
        total += list->value += amount;
    *sum = total;
}

cudaError_t list_add(struct node *list, int amount, long long *sum)
{
    *sum = 0;
    if (!list)
        return cudaSuccess;
    walk<<<1, 1>>>(list, amount, &whole(list)->sum);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(0);
    if (status == cudaSuccess)
        *sum = whole(list)->sum;
    return status;
}

// ---- hw5.2: in pieces, each prefetched on the same stream before its kernel -----------

static __global__ void increment_vectors(int *data, size_t n, int amount)
{
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x, vectors = n / 4;
    int4 *wide = (int4 *)data;
    if (t < vectors) {
        int4 v = wide[t];
        v.x += amount, v.y += amount, v.z += amount, v.w += amount;
        wide[t] = v;
    }
    if (t < n % 4)
        data[4 * vectors + t] += amount;
}

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    const size_t piece = (size_t)32 << 20;
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;
    CUDA_TRY(ask(&device, &concurrent));
    for (size_t first = 0; first < n; first += piece) {
        size_t count = n - first < piece ? n - first : piece;
        if (concurrent)
            CUDA_TRY(managed_prefetch(data + first, count * sizeof *data, device, stream));
        increment_vectors<<<(unsigned)ceil_div(count / 4 + 3, 256), 256, 0, stream>>>(
            data + first, count, amount);
        CUDA_TRY(cudaGetLastError());
    }
done:
    return status;
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;
    long long parts[4] = {0, 0, 0, 0};
    CUDA_TRY(ask(&device, &concurrent));
    if (concurrent && n > 0)
        CUDA_TRY(managed_prefetch(data, n * sizeof *data, cudaCpuDeviceId, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < n; i++)
        parts[i % 4] += data[i];
    *sum = parts[0] + parts[1] + parts[2] + parts[3];
done:
    return status;
}

// ---- hw5.3: the records in one block, all names in another, each copied at once -------

struct names {
    size_t bytes;
    char *memory; // of the host, with room in front for nothing else
};

static cudaError_t gather(const struct record *records, size_t n, struct names *all)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        all->bytes += (size_t)records[i].length + 1;
    all->memory = (char *)malloc(all->bytes);
    if (!all->memory)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n; at += (size_t)records[i++].length + 1)
        memcpy(all->memory + at, records[i].name, (size_t)records[i].length + 1);
    return cudaSuccess;
}

static void point_to(struct record *target, const struct record *records, size_t n, char *names)
{
    for (size_t i = 0; i < n; names += (size_t)records[i++].length + 1)
        target[i] = {records[i].key, records[i].length, names};
}

cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    struct record *d_records = NULL, *staged = NULL;
    char *d_names = NULL;
    struct names all = {0, NULL};
    *copy = NULL;
    if (n == 0)
        return cudaSuccess;
    if (n > SIZE_MAX / sizeof *staged)
        return cudaErrorMemoryAllocation;
    CUDA_TRY(cudaMalloc(&d_records, n * sizeof *staged));
    CUDA_TRY(gather(records, n, &all));
    CUDA_TRY(cudaMalloc(&d_names, all.bytes));
    staged = (struct record *)malloc(n * sizeof *staged);
    CUDA_TRY(staged ? cudaSuccess : cudaErrorMemoryAllocation);
    point_to(staged, records, n, d_names);
    CUDA_TRY(cudaMemcpy(d_records, staged, n * sizeof *staged, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_names, all.memory, all.bytes, cudaMemcpyHostToDevice));
    *copy = d_records;
done:
    if (!*copy) {
        cudaFree(d_names);
        cudaFree(d_records);
    }
    free(staged);
    free(all.memory);
    return status;
}

cudaError_t free_by_hand(struct record *copy, size_t n)
{
    char *names = NULL;
    if (!copy || n == 0)
        return cudaSuccess;
    cudaError_t status = cudaMemcpy(&names, &copy[0].name, sizeof names, cudaMemcpyDeviceToHost);
    cudaFree(names);
    cudaFree(copy);
    return status;
}

cudaError_t copy_managed(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    struct record *made = NULL;
    char *names = NULL;
    struct names all = {0, NULL};
    *copy = NULL;
    if (n == 0)
        return cudaSuccess;
    if (n > SIZE_MAX / sizeof *made)
        return cudaErrorMemoryAllocation;
    CUDA_TRY(cudaMallocManaged(&made, n * sizeof *made));
    CUDA_TRY(gather(records, n, &all));
    CUDA_TRY(cudaMallocManaged(&names, all.bytes));
    point_to(made, records, n, names);
    memcpy(names, all.memory, all.bytes);
    *copy = made;
done:
    if (!*copy) {
        cudaFree(names);
        cudaFree(made);
    }
    free(all.memory);
    return status;
}

cudaError_t free_managed(struct record *copy, size_t n)
{
    if (!copy || n == 0)
        return cudaSuccess;
    cudaError_t status = cudaFree(copy[0].name);
    return status == cudaSuccess ? cudaFree(copy) : status;
}

// ---- hw5.4: a text keeps its memory where that is large enough ---------------------------

struct Managed {
    static void *take(size_t bytes) noexcept
    {
        void *memory = NULL;
        return cudaMallocManaged(&memory, bytes) == cudaSuccess ? memory : NULL;
    }

    static void give(void *memory)
    {
        if (!memory)
            return;
        cudaDeviceSynchronize();
        cudaFree(memory);
    }

    static void *operator new(size_t bytes) noexcept
    {
        return take(bytes);
    }

    static void *operator new[](size_t bytes) noexcept
    {
        return take(bytes);
    }

    static void operator delete(void *memory)
    {
        give(memory);
    }

    static void operator delete[](void *memory)
    {
        give(memory);
    }
};

struct Text final : Managed {
    size_t length = 0, room = 0;
    char *chars = NULL;

    explicit Text(const char *from = "")
    {
        assign(from, strlen(from));
    }

    Text(const Text &other) : Managed()
    {
        assign(other.chars, other.length);
    }

    Text &operator=(const Text &other)
    {
        assign(other.chars, other.length);
        return *this;
    }

    ~Text()
    {
        give(chars);
    }

    // Keeps its memory where that is large enough; then memmove allows for itself.
    void assign(const char *from, size_t from_length)
    {
        if (from_length + 1 > room) {
            char *larger = (char *)take(from_length + 1);
            if (!larger)
                return;
            memcpy(larger, from, from_length);
            give(chars);
            chars = larger;
            room = from_length + 1;
        } else {
            cudaDeviceSynchronize();
            memmove(chars, from, from_length);
        }
        chars[from_length] = 0;
        length = from_length;
    }
};

static __global__ void upper(Text &text)
{
    for (size_t i = threadIdx.x; i < text.length; i += blockDim.x)
        text.chars[i] -= (text.chars[i] >= 'a' && text.chars[i] <= 'z') * ('a' - 'A');
}

static __global__ void count_letter(Text text, char letter, unsigned *count)
{
    unsigned found = 0;
    for (size_t i = threadIdx.x; i < text.length; i += 32)
        found += text.chars[i] == letter;
    for (int offset = 16; offset > 0; offset /= 2)
        found += __shfl_down_sync(0xffffffff, found, offset);
    if (threadIdx.x == 0)
        *count = found;
}

static cudaError_t made(struct Text *text)
{
    return text && text->chars ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t text_make(const char *chars, struct Text **text)
{
    return made(*text = new Text(chars));
}

cudaError_t text_copy(const struct Text *from, struct Text **text)
{
    return made(*text = new Text(*from));
}

cudaError_t text_assign(struct Text *to, const struct Text *from)
{
    return made(&(*to = *from));
}

cudaError_t text_make_array(size_t n, struct Text **texts)
{
    return made(*texts = new Text[n]);
}

struct Text *text_at(struct Text *texts, size_t i)
{
    return texts + i;
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
    upper<<<1, 128>>>(*text);
    cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}

cudaError_t text_count(const struct Text *text, char letter, unsigned *count)
{
    unsigned *found = (unsigned *)Managed::take(sizeof *found);
    if (!found)
        return cudaErrorMemoryAllocation;
    count_letter<<<1, 32>>>(*text, letter, found);
    cudaError_t status = cudaDeviceSynchronize();
    *count = status == cudaSuccess ? *found : 0;
    Managed::give(found);
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

// ---- hw5.5: the threads of a block are counted first ------------------------------------

static __global__ void count_block(unsigned *counter, size_t adds)
{
    size_t first = blockIdx.x * (size_t)blockDim.x;
    if (threadIdx.x == 0)
        atomicAdd_system(counter, (unsigned)min((size_t)blockDim.x, adds - first));
}

cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;
    CUDA_TRY(ask(&device, &concurrent));
    if (gpu_adds > 0)
        count_block<<<(unsigned)ceil_div(gpu_adds, 1024), 1024>>>(counter, gpu_adds);
    CUDA_TRY(cudaGetLastError());
    if (concurrent && cpu_adds > 0)
        __atomic_add_fetch(counter, (unsigned)cpu_adds, __ATOMIC_SEQ_CST);
    CUDA_TRY(cudaDeviceSynchronize());
    if (!concurrent)
        *counter += (unsigned)cpu_adds; // nobody else is there
done:
    return status;
}

// ---- hw5.6: and the table is sent ahead -------------------------------------------------

cudaError_t advise(const struct shared_arrays *arrays, int device)
{
    const size_t table_bytes = arrays->table_count * sizeof *arrays->table;
    const size_t state_bytes = arrays->state_count * sizeof *arrays->state;
    const size_t order_bytes = arrays->order_count * sizeof *arrays->orders;
    cudaError_t status = cudaSuccess;
    int concurrent = 0;
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (!concurrent)
        return cudaSuccess;
    CUDA_TRY(managed_advise(arrays->table, table_bytes, cudaMemAdviseSetReadMostly, 0));
    CUDA_TRY(managed_advise(arrays->state, state_bytes, cudaMemAdviseSetPreferredLocation, device));
    CUDA_TRY(managed_advise(arrays->orders, order_bytes, cudaMemAdviseSetAccessedBy, device));
    CUDA_TRY(managed_advise(
        arrays->orders, order_bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    CUDA_TRY(managed_prefetch(arrays->table, table_bytes, device, 0));
done:
    return status;
}

// ---- hw5.7: every edge is relaxed, in any order, until no level falls any more ----------

static __global__ void raise(struct vertex *vertices, size_t n, struct vertex *start)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        vertices[i].level = &vertices[i] == start ? 0 : INT32_MAX;
}

static __global__ void relax(struct vertex *vertices, size_t n, unsigned *fell)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    int level = i < n ? atomicAdd(&vertices[i].level, 0) : INT32_MAX;
    if (level == INT32_MAX)
        return;
    for (unsigned k = 0; k < vertices[i].neighbour_count; k++)
        if (atomicMin(&vertices[i].neighbours[k]->level, level + 1) > level + 1)
            atomicOr(fell, 1);
}

static __global__ void settle(struct vertex *vertices, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && vertices[i].level == INT32_MAX)
        vertices[i].level = UNREACHED;
}

cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start)
{
    const unsigned blocks = (unsigned)ceil_div(n, 128);
    cudaError_t status = cudaSuccess;
    unsigned *fell = NULL, again = 1;
    CUDA_TRY(cudaMalloc(&fell, sizeof *fell));
    raise<<<blocks, 128>>>(vertices, n, start);
    while (again) {
        CUDA_TRY(cudaMemsetAsync(fell, 0, sizeof *fell, 0));
        relax<<<blocks, 128>>>(vertices, n, fell);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpy(&again, fell, sizeof again, cudaMemcpyDeviceToHost));
    }
    settle<<<blocks, 128>>>(vertices, n);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
done:
    cudaFree(fell);
    return status;
}
