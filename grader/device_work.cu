/* Kernels for what a student's program must not be trusted with: contents, comparison, limits.
 * Host code here needs nothing of the C++ library, so that a C program can be linked with it. */
#include "device_work.h"

#include <stdlib.h>
#include <string.h>

#include "mix.h"

extern "C" {
#include "device.h"
}

#define TRY(call)                              \
    do {                                       \
        const cudaError_t try_status = (call); \
        if (try_status != cudaSuccess)         \
            return try_status;                 \
    } while (0)

enum { THREADS = 256, BLOCKS_PER_SM = 8, STAGED_WORDS = 1 << 18, WARP = 32 };

static bool on_virtual_gpu()
{
    static int known = -1;
    if (known < 0)
        known = device_ask().is_virtual;
    return known;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static unsigned blocks_for(size_t count)
{
    return (unsigned)smaller(
        (count + THREADS - 1) / THREADS, (size_t)device_sm_count() * BLOCKS_PER_SM);
}

/* Where the host prepares or inspects one part of a device array after the other. */
static uint32_t staged[2][STAGED_WORDS];

/* ---- one value an element -------------------------------------------------------------------- */

struct same_word {
    uint32_t word;
    __host__ __device__ uint32_t operator()(size_t) const
    {
        return word;
    }
};

struct some_int {
    uint64_t seed;
    int low, high;
    __host__ __device__ uint32_t operator()(size_t i) const
    {
        return (uint32_t)mixed_integer(seed, i, low, high);
    }
};

static __host__ __device__ uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static __host__ __device__ float integer_at(const filled &array, size_t i)
{
    return (float)mixed_integer(array.seed, i, array.low, array.high);
}

struct some_integer {
    filled array;
    __host__ __device__ uint32_t operator()(size_t i) const
    {
        return bits_of(integer_at(array, i));
    }
};

struct sum_of_two {
    filled a, b;
    __host__ __device__ uint32_t operator()(size_t i) const
    {
        return bits_of(integer_at(a, i) + integer_at(b, i));
    }
};

/* Element i of the transpose, whose rows are as long as the matrix has rows. */
struct transposed_integer {
    filled matrix;
    size_t rows, columns;
    __host__ __device__ uint32_t operator()(size_t i) const
    {
        return bits_of(integer_at(matrix, i % rows * columns + i / rows));
    }
};

template <class Value>
static __global__ void write_kernel(uint32_t *words, size_t count, Value value)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        words[i] = value(i);
}

template <class Value>
static cudaError_t write_from_host(uint32_t *words, size_t count, Value value)
{
    for (size_t done = 0; done < count; done += STAGED_WORDS) {
        const size_t part = smaller(count - done, STAGED_WORDS);
        for (size_t i = 0; i < part; i++)
            staged[0][i] = value(done + i);
        TRY(cudaMemcpy(words + done, staged[0], 4 * part, cudaMemcpyHostToDevice));
    }
    return cudaSuccess;
}

template <class Value> static cudaError_t write_each(uint32_t *words, size_t count, Value value)
{
    if (count == 0)
        return cudaSuccess;
    if (on_virtual_gpu())
        return write_from_host(words, count, value);
    write_kernel<<<blocks_for(count), THREADS>>>(words, count, value);
    return cudaGetLastError();
}

/* ---- one number from all elements ------------------------------------------------------------ */

struct tally {
    unsigned long long sum;   /* wraps */
    unsigned long long first; /* index; NOWHERE if there is none */
};
static const unsigned long long NOWHERE = ~0ull;

/* From the word that stands in the other array, or from `word` if there is no other. */
struct difference {
    bool paired;
    uint32_t word;
    __host__ __device__ void operator()(tally &all, size_t i, uint32_t got, uint32_t other) const
    {
        /* speed: no branch, since it may go either way for every other word */
        const bool differs = got != (paired ? other : word);
        const unsigned long long at = differs ? i : NOWHERE;
        all.sum += differs;
        all.first = at < all.first ? at : all.first;
    }
};

/* From the word that belongs there. */
template <class Value> struct unlike {
    Value value;
    __host__ __device__ void operator()(tally &all, size_t i, uint32_t got, uint32_t) const
    {
        difference{false, value(i)}(all, i, got, 0);
    }
};

struct sum_of_mixed {
    bool ordered;
    __host__ __device__ void operator()(tally &all, size_t i, uint32_t got, uint32_t) const
    {
        all.sum += mixed_bits(got, ordered ? i : 0);
    }
};

struct positive_only {
    bool counted; /* else their checksum */
    __host__ __device__ void operator()(tally &all, size_t, uint32_t got, uint32_t) const
    {
        /* speed: no branch here either */
        const uint64_t one = counted ? 1 : mixed_bits(got, 0);
        all.sum += one & -(uint64_t)((int32_t)got > 0);
    }
};

/* From the weighted sum of the neighbours in `in`, which whoever looks can read. */
struct stencil_difference {
    const float *in;
    size_t count, radius;
    float weights[2 * STENCIL_RADIUS_MAX + 1];
    __host__ __device__ void operator()(tally &all, size_t i, uint32_t got, uint32_t) const
    {
        double want = 0.0;
        float value;
        for (size_t k = 0; k <= 2 * radius; k++)
            if (i + k >= radius && i + k - radius < count)
                want += (double)weights[k] * in[i + k - radius];
        memcpy(&value, &got, sizeof value);
        if (value == want)
            return;
        all.sum++;
        if (i < all.first)
            all.first = i;
    }
};

/* Each warp combines what its lanes found; its first lane adds that to the result. */
template <class Look>
static __global__ void tally_kernel(
    const uint32_t *words, const uint32_t *others, size_t count, Look look, tally *result)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    tally all = {0, NOWHERE};

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        look(all, i, words[i], others ? others[i] : 0);
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        const unsigned long long first = __shfl_down_sync(~0u, all.first, offset);
        all.sum += __shfl_down_sync(~0u, all.sum, offset);
        all.first = first < all.first ? first : all.first;
    }
    if (threadIdx.x % WARP == 0) {
        atomicAdd(&result->sum, all.sum);
        atomicMin(&result->first, all.first);
    }
}

template <class Look>
static cudaError_t tally_on_host(
    const uint32_t *words, const uint32_t *others, size_t count, Look look, tally *all)
{
    for (size_t done = 0; done < count; done += STAGED_WORDS) {
        const size_t part = smaller(count - done, STAGED_WORDS);
        TRY(cudaMemcpy(staged[0], words + done, 4 * part, cudaMemcpyDeviceToHost));
        if (others)
            TRY(cudaMemcpy(staged[1], others + done, 4 * part, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < part; i++)
            look(*all, done + i, staged[0][i], others ? staged[1][i] : 0);
    }
    return cudaSuccess;
}

template <class Look>
static cudaError_t tally_each(
    const uint32_t *words, const uint32_t *others, size_t count, Look look, tally *all)
{
    static tally *result; /* kept for the life of the process */

    *all = tally{0, NOWHERE};
    if (count == 0)
        return cudaSuccess;
    if (on_virtual_gpu())
        return tally_on_host(words, others, count, look, all);
    if (!result)
        TRY(cudaMalloc(&result, sizeof *result));
    TRY(cudaMemcpy(result, all, sizeof *result, cudaMemcpyHostToDevice));
    tally_kernel<<<blocks_for(count), THREADS>>>(words, others, count, look, result);
    TRY(cudaGetLastError());
    return cudaMemcpy(all, result, sizeof *result, cudaMemcpyDeviceToHost);
}

template <class Look>
static cudaError_t count_differences(const uint32_t *words, const uint32_t *others, size_t count,
    Look look, size_t *different, size_t *first)
{
    tally all;
    TRY(tally_each(words, others, count, look, &all));
    *different = all.sum;
    *first = all.first; /* NOWHERE is SIZE_MAX */
    return cudaSuccess;
}

/* ---- a matrix times a vector ------------------------------------------------------------------ */

/* A warp a row. */
static __global__ void times_vector_kernel(
    const float *matrix, size_t rows, size_t columns, const double *vector, double *result)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t lane = thread % WARP, warps = (size_t)gridDim.x * blockDim.x / WARP;

    for (size_t row = thread / WARP; row < rows; row += warps) {
        double sum = 0.0;
        for (size_t column = lane; column < columns; column += WARP)
            sum += matrix[row * columns + column] * vector[column];
        for (int offset = WARP / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(~0u, sum, offset);
        if (lane == 0)
            result[row] = sum;
    }
}

static cudaError_t times_vector_on_host(
    const float *matrix, size_t rows, size_t columns, const double *vector, double *result)
{
    for (size_t row = 0; row < rows; row++) {
        result[row] = 0.0;
        for (size_t done = 0; done < columns; done += STAGED_WORDS) {
            const size_t part = smaller(columns - done, STAGED_WORDS);
            const float *values = (const float *)staged[0];
            TRY(cudaMemcpy(
                staged[0], matrix + row * columns + done, 4 * part, cudaMemcpyDeviceToHost));
            for (size_t i = 0; i < part; i++)
                result[row] += values[i] * vector[done + i];
        }
    }
    return cudaSuccess;
}

/* `both` is device memory for the vector and, behind it, the result. */
static cudaError_t times_vector_on_device(const float *matrix, size_t rows, size_t columns,
    const double *vector, double *result, double *both)
{
    TRY(cudaMemcpy(both, vector, columns * sizeof *both, cudaMemcpyHostToDevice));
    times_vector_kernel<<<blocks_for(rows * WARP), THREADS>>>(
        matrix, rows, columns, both, both + columns);
    TRY(cudaGetLastError());
    return cudaMemcpy(result, both + columns, rows * sizeof *both, cudaMemcpyDeviceToHost);
}

/* ---- what the header promises ---------------------------------------------------------------- */

cudaError_t device_fill_words(uint32_t *words, size_t count, uint32_t word)
{
    return write_each(words, count, same_word{word});
}

cudaError_t device_fill_integers(float *values, size_t count, int low, int high, uint64_t seed)
{
    return write_each((uint32_t *)values, count, some_integer{{seed, low, high}});
}

cudaError_t device_fill_ints(int32_t *values, size_t count, int low, int high, uint64_t seed)
{
    return write_each((uint32_t *)values, count, some_int{seed, low, high});
}

cudaError_t device_count_other_words(
    const uint32_t *words, size_t count, uint32_t word, size_t *different, size_t *first)
{
    return count_differences(words, NULL, count, difference{false, word}, different, first);
}

cudaError_t device_count_differences(
    const uint32_t *got, const uint32_t *want, size_t count, size_t *different, size_t *first)
{
    return count_differences(got, want, count, difference{true, 0}, different, first);
}

cudaError_t device_count_wrong_sums(const float *sums, size_t count, const struct filled *a,
    const struct filled *b, size_t *different, size_t *first)
{
    const unlike<sum_of_two> look = {{*a, *b}};
    return count_differences((const uint32_t *)sums, NULL, count, look, different, first);
}

cudaError_t device_count_untransposed(const float *got, size_t rows, size_t columns,
    const struct filled *in, size_t *different, size_t *first)
{
    const unlike<transposed_integer> look = {{*in, rows, columns}};
    return count_differences((const uint32_t *)got, NULL, rows * columns, look, different, first);
}

static cudaError_t sum_mixed(const uint32_t *words, size_t count, bool ordered, uint64_t *sum)
{
    tally all;
    TRY(tally_each(words, NULL, count, sum_of_mixed{ordered}, &all));
    *sum = all.sum;
    return cudaSuccess;
}

cudaError_t device_checksum(const uint32_t *words, size_t count, uint64_t *checksum)
{
    return sum_mixed(words, count, true, checksum);
}

cudaError_t device_checksum_unordered(const uint32_t *words, size_t count, uint64_t *checksum)
{
    return sum_mixed(words, count, false, checksum);
}

cudaError_t device_checksum_positive(
    const int32_t *values, size_t count, size_t *positive, uint64_t *checksum)
{
    tally all;
    TRY(tally_each((const uint32_t *)values, NULL, count, positive_only{true}, &all));
    *positive = all.sum;
    TRY(tally_each((const uint32_t *)values, NULL, count, positive_only{false}, &all));
    *checksum = all.sum;
    return cudaSuccess;
}

cudaError_t device_count_wrong_stencil(const float *in, const float *got, size_t count,
    const float *weights, unsigned radius, size_t *wrong, size_t *first)
{
    stencil_difference look = {in, count, radius, {0}};
    const size_t bytes = count * sizeof *in;
    float *copy = NULL;
    tally all = {0, NOWHERE};
    cudaError_t status = radius <= STENCIL_RADIUS_MAX ? cudaSuccess : cudaErrorInvalidValue;

    if (status == cudaSuccess)
        memcpy(look.weights, weights, (2 * radius + 1) * sizeof *weights);
    if (status == cudaSuccess && on_virtual_gpu()) {
        look.in = copy = (float *)malloc(bytes + 1);
        status =
            copy ? cudaMemcpy(copy, in, bytes, cudaMemcpyDeviceToHost) : cudaErrorMemoryAllocation;
    }
    if (status == cudaSuccess)
        status = tally_each((const uint32_t *)got, NULL, count, look, &all);
    free(copy);
    *wrong = all.sum;
    *first = all.first;
    return status;
}

cudaError_t device_times_vector(
    const float *matrix, size_t rows, size_t columns, const double *vector, double *result)
{
    double *both = NULL;

    if (on_virtual_gpu() || rows == 0 || columns == 0)
        return times_vector_on_host(matrix, rows, columns, vector, result);
    TRY(cudaMalloc(&both, (rows + columns) * sizeof *both));
    const cudaError_t status = times_vector_on_device(matrix, rows, columns, vector, result, both);
    cudaFree(both);
    return status;
}
