// As a library would have it: owners that free by themselves, templates, cuda::atomic_ref, and a
// stream of its own for what blocks.
#include "cuda_managed.h"
#include "cuda_try.h"
#include <cuda/atomic>
#include <string.h>

namespace
{

enum place { device_memory, managed_memory };

// Owns an array, in one kind of memory or the other.
template <class T, place where> struct owner {
    T *data = nullptr;

    owner() = default;
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;

    ~owner()
    {
        cudaFree(data);
    }

    cudaError_t make(size_t count)
    {
        size_t bytes = count * sizeof(T);
        if (bytes / sizeof(T) != count)
            return cudaErrorMemoryAllocation;
        return where == managed_memory ? cudaMallocManaged(&data, bytes) : cudaMalloc(&data, bytes);
    }

    T *release()
    {
        T *released = data;
        data = nullptr;
        return released;
    }
};

struct own_stream {
    cudaStream_t stream = nullptr;

    own_stream()
    {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }

    ~own_stream()
    {
        cudaStreamDestroy(stream);
    }
};

bool moves_pages(int device)
{
    int concurrent = 0;
    return cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device) ==
               cudaSuccess &&
           concurrent;
}

template <class Work> __global__ void for_each_kernel(size_t n, Work work)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * (size_t)blockDim.x)
        work(i);
}

template <class Work> cudaError_t for_each(size_t n, cudaStream_t stream, Work work)
{
    if (n == 0)
        return cudaSuccess;
    size_t blocks = ceil_div(n, 512);
    for_each_kernel<<<(unsigned)(blocks < 8192 ? blocks : 8192), 512, 0, stream>>>(n, work);
    return cudaGetLastError();
}

struct add_to {
    int *data, amount;
    __device__ void operator()(size_t i) const
    {
        data[i] += amount;
    }
};

struct walk_list {
    node *list;
    int amount;
    long long *sum;
    __device__ void operator()(size_t) const
    {
        long long total = 0;
        for (node *at = list; at; at = at->next)
            total += at->value += amount;
        *sum = total;
    }
};

struct count_one {
    unsigned *counter;
    __device__ void operator()(size_t) const
    {
        cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*counter).fetch_add(
            1, cuda::memory_order_relaxed);
    }
};

} // namespace

cudaError_t list_make(const int *values, size_t n, struct node **list)
{
    cudaError_t status = cudaSuccess;
    *list = nullptr;
    for (size_t i = n; i-- > 0;) {
        owner<node, managed_memory> made;
        CUDA_TRY(made.make(1));
        *made.data = node{*list, values[i]};
        *list = made.release();
    }
    return cudaSuccess;
done:
    list_free(*list);
    *list = nullptr;
    return status;
}

cudaError_t list_free(struct node *list)
{
    if (!list)
        return cudaSuccess;
    node *next = list->next;
    cudaError_t first = cudaFree(list), others = list_free(next);
    return first != cudaSuccess ? first : others;
}

cudaError_t list_add(struct node *list, int amount, long long *sum)
{
    cudaError_t status = cudaSuccess;
    own_stream own;
    owner<long long, managed_memory> total;

    CUDA_TRY(total.make(1));
    CUDA_TRY(for_each(1, own.stream, walk_list{list, amount, total.data}));
    CUDA_TRY(cudaStreamSynchronize(own.stream));
    *sum = *total.data;
done:
    return status;
}

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0;
    CUDA_TRY(cudaGetDevice(&device));
    if (n > 0 && moves_pages(device))
        CUDA_TRY(managed_prefetch(data, n * sizeof *data, device, stream));
    CUDA_TRY(for_each(n, stream, add_to{data, amount}));
done:
    return status;
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0;
    cudaEvent_t home = nullptr;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaEventCreateWithFlags(&home, cudaEventDisableTiming));
    if (n > 0 && moves_pages(device))
        CUDA_TRY(managed_prefetch(data, n * sizeof *data, cudaCpuDeviceId, stream));
    CUDA_TRY(cudaEventRecord(home, stream));
    CUDA_TRY(cudaEventSynchronize(home));
    *sum = 0;
    for (const int *at = data; at != data + n; at++)
        *sum += *at;
done:
    if (home)
        cudaEventDestroy(home);
    return status;
}

// One algorithm for both kinds of memory; only who may write there differs.
template <place where> static cudaError_t deep_free(struct record *copy, size_t n)
{
    cudaError_t status = cudaSuccess;
    for (size_t i = 0; copy && i < n; i++) {
        record one;
        CUDA_TRY(cudaMemcpy(&one, &copy[i], sizeof one, cudaMemcpyDefault));
        CUDA_TRY(cudaFree(one.name));
    }
    CUDA_TRY(cudaFree(copy));
done:
    return status;
}

template <place where>
static cudaError_t deep_copy(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    owner<record, where> made;
    size_t ready = 0;

    *copy = nullptr;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(made.make(n));
    for (; ready < n; ready++) {
        record one = records[ready];
        owner<char, where> name;
        size_t bytes = strlen(one.name) + 1;
        CUDA_TRY(name.make(bytes));
        CUDA_TRY(cudaMemcpy(name.data, one.name, bytes, cudaMemcpyDefault));
        one.name = name.data;
        CUDA_TRY(cudaMemcpy(&made.data[ready], &one, sizeof one, cudaMemcpyDefault));
        name.release();
    }
    CUDA_TRY(cudaDeviceSynchronize());
    *copy = made.release();
done:
    if (status != cudaSuccess)
        deep_free<where>(made.release(), ready);
    return status;
}

cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy)
{
    return deep_copy<device_memory>(records, n, copy);
}

cudaError_t free_by_hand(struct record *copy, size_t n)
{
    return deep_free<device_memory>(copy, n);
}

cudaError_t copy_managed(const struct record *records, size_t n, struct record **copy)
{
    return deep_copy<managed_memory>(records, n, copy);
}

cudaError_t free_managed(struct record *copy, size_t n)
{
    return deep_free<managed_memory>(copy, n);
}

template <class Derived> class in_managed_memory
{
  public:
    static void *operator new(size_t bytes) noexcept
    {
        void *memory = nullptr;
        return cudaMallocManaged(&memory, bytes) == cudaSuccess ? memory : nullptr;
    }

    static void *operator new[](size_t bytes) noexcept
    {
        return operator new(bytes);
    }

    static void operator delete(void *memory) noexcept
    {
        cudaDeviceSynchronize();
        cudaFree(memory);
    }

    static void operator delete[](void *memory) noexcept
    {
        operator delete(memory);
    }
};

struct Text : in_managed_memory<Text> {
    char *chars = nullptr;
    size_t length = 0;

    explicit Text(const char *from = "") : chars(duplicate(from)), length(strlen(chars))
    {
    }

    Text(const Text &other) : Text(other.chars)
    {
    }

    Text(Text &&other) : chars(other.chars), length(other.length)
    {
        other.chars = nullptr;
    }

    Text &operator=(Text other) // by value: the copy is made before anything is lost
    {
        char *mine = chars;
        chars = other.chars;
        other.chars = mine;
        length = other.length;
        return *this;
    }

    ~Text()
    {
        cudaDeviceSynchronize();
        cudaFree(chars);
    }

    static char *duplicate(const char *from)
    {
        owner<char, managed_memory> made;
        size_t bytes = strlen(from) + 1;
        if (made.make(bytes) == cudaSuccess)
            memcpy(made.data, from, bytes);
        return made.release();
    }
};

struct make_upper {
    Text *text;
    __device__ void operator()(size_t i) const
    {
        char &c = text->chars[i];
        c = c >= 'a' && c <= 'z' ? (char)(c + 'A' - 'a') : c;
    }
};

static __global__ void count_kernel(Text text, char letter, unsigned *count)
{
    for (size_t i = threadIdx.x; i < text.length; i += blockDim.x)
        if (text.chars[i] == letter)
            cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*count)++;
}

cudaError_t text_make(const char *chars, struct Text **text)
{
    *text = new Text(chars);
    return *text ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t text_copy(const struct Text *from, struct Text **text)
{
    *text = new Text(*from);
    return *text ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t text_assign(struct Text *to, const struct Text *from)
{
    *to = *from;
    return cudaSuccess;
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
    cudaError_t status = for_each(text->length, 0, make_upper{text});
    return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}

cudaError_t text_count(const struct Text *text, char letter, unsigned *count)
{
    cudaError_t status = cudaSuccess;
    owner<unsigned, managed_memory> found;
    CUDA_TRY(found.make(1));
    *found.data = 0;
    count_kernel<<<1, 64>>>(*text, letter, found.data);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
    *count = *found.data;
done:
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

cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds)
{
    cudaError_t status = cudaSuccess;
    own_stream own;
    int device = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(for_each(gpu_adds, own.stream, count_one{counter}));
    if (!moves_pages(device))
        CUDA_TRY(cudaStreamSynchronize(own.stream));
    for (size_t i = 0; i < cpu_adds; i++)
        cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*counter).fetch_add(1);
    CUDA_TRY(cudaStreamSynchronize(own.stream));
done:
    return status;
}

namespace
{
struct advice {
    const void *memory;
    size_t bytes;
    cudaMemoryAdvise what;
    int place;
};
} // namespace

cudaError_t advise(const struct shared_arrays *arrays, int device)
{
    const advice all[] = {
        {arrays->table, arrays->table_count * sizeof(float), cudaMemAdviseSetReadMostly, device},
        {arrays->state, arrays->state_count * sizeof(float), cudaMemAdviseSetPreferredLocation,
            device},
        {arrays->state, arrays->state_count * sizeof(float), cudaMemAdviseSetAccessedBy, device},
        {arrays->orders, arrays->order_count * sizeof(int), cudaMemAdviseSetPreferredLocation,
            cudaCpuDeviceId},
        {arrays->orders, arrays->order_count * sizeof(int), cudaMemAdviseSetAccessedBy, device},
    };
    for (const advice &one : all) {
        cudaError_t status = moves_pages(device)
                                 ? managed_advise(one.memory, one.bytes, one.what, one.place)
                                 : cudaSuccess;
        if (status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

// A list of this level and of the next one, and their lengths, turn about.
namespace
{
struct clear_level {
    vertex *vertices, *start;
    __device__ void operator()(size_t i) const
    {
        vertices[i].level = &vertices[i] == start ? 0 : UNREACHED;
    }
};

struct expand {
    vertex **list, **next;
    unsigned *found;
    int level;
    __device__ void operator()(size_t i) const
    {
        for (unsigned k = 0; k < list[i]->neighbour_count; k++) {
            vertex *neighbour = list[i]->neighbours[k];
            int unreached = UNREACHED;
            cuda::atomic_ref<int, cuda::thread_scope_device> reached(neighbour->level);
            if (reached.compare_exchange_strong(unreached, level))
                next[atomicAdd(found, 1)] = neighbour;
        }
    }
};
} // namespace

cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start)
{
    cudaError_t status = cudaSuccess;
    own_stream own;
    owner<vertex *, managed_memory> lists[2];
    owner<unsigned, managed_memory> found;
    unsigned count = 1;

    CUDA_TRY(lists[0].make(n));
    CUDA_TRY(lists[1].make(n));
    CUDA_TRY(found.make(1));
    lists[0].data[0] = start;
    CUDA_TRY(for_each(n, own.stream, clear_level{vertices, start}));
    for (int level = 1; count > 0; level++) {
        CUDA_TRY(cudaMemsetAsync(found.data, 0, sizeof *found.data, own.stream));
        CUDA_TRY(for_each(count, own.stream,
            expand{lists[(level + 1) % 2].data, lists[level % 2].data, found.data, level}));
        CUDA_TRY(cudaStreamSynchronize(own.stream));
        count = *found.data;
    }
done:
    return status;
}
