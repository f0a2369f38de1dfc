// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=shallow-copy task=hw5.4
// The compiler's own assignment copies the pointer.
#include "cuda_try.h"
#include <string.h>

enum : unsigned { THREADS = 256 };

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
