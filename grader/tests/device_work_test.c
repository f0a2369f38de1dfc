/* The loops by which the grader looks at memory of the virtual GPU; here it is host memory. */
#include "../device_work.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../device.h"
#include "../inputs.h"

/* More than one staging part, and a part that is not full. */
enum { TIMEOUT_S = 10, COUNT = (1 << 18) * 2 + 77, NEAR_END = COUNT - 5 };

struct device_facts device_ask(void)
{
    return (struct device_facts){.usable = true, .is_virtual = true};
}

int device_sm_count(void)
{
    return 8;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

/* The rest of what device_work.cu asks for and the ledger defines: were it taken from there, so
 * would be the copy. No test gets here. */
cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    (void)pointer, (void)bytes;
    return cudaErrorNotSupported;
}

cudaError_t cudaFree(void *pointer)
{
    (void)pointer;
    return cudaErrorNotSupported;
}

#define NO_LAUNCH(function)                                                           \
    cudaError_t function(const void *kernel, dim3 grid, dim3 block, void **arguments, \
        size_t shared_bytes, cudaStream_t stream)                                     \
    {                                                                                 \
        (void)kernel, (void)grid, (void)block, (void)arguments, (void)shared_bytes;   \
        (void)stream;                                                                 \
        return cudaErrorNotSupported;                                                 \
    }
NO_LAUNCH(cudaLaunchKernel)   /* CUDA 12 and before */
NO_LAUNCH(__cudaLaunchKernel) /* CUDA 13 */

static uint32_t words[COUNT], others[COUNT];

static void fill(uint32_t *into, uint64_t seed)
{
    cr_assert(device_fill_ints((int32_t *)into, COUNT, -1000, 1000, seed) == cudaSuccess);
}

Test(device_work, fills_as_the_host_does, .timeout = TIMEOUT_S)
{
    fill(words, 5);
    fill_ints((int32_t *)others, COUNT, -1000, 1000, 5);
    cr_assert(memcmp(words, others, sizeof words) == 0);
    cr_assert(device_fill_integers((float *)words, COUNT, -4, 4, 6) == cudaSuccess);
    fill_integers((float *)others, COUNT, -4, 4, 6);
    cr_assert(memcmp(words, others, sizeof words) == 0);
}

Test(device_work, finds_other_words, .timeout = TIMEOUT_S)
{
    size_t different = 9, first = 9;

    cr_assert(device_fill_words(words, COUNT, 7) == cudaSuccess);
    device_count_other_words(words, COUNT, 7, &different, &first);
    cr_assert(different == 0 && first == SIZE_MAX);
    words[NEAR_END] = words[COUNT - 1] = 8;
    device_count_other_words(words, COUNT, 7, &different, &first);
    cr_assert(different == 2 && first == NEAR_END);
    device_count_other_words(words, COUNT, 8, &different, &first);
    cr_assert(different == COUNT - 2 && first == 0);
    device_count_other_words(words, 0, 8, &different, &first);
    cr_assert(different == 0 && first == SIZE_MAX);
}

Test(device_work, finds_differences, .timeout = TIMEOUT_S)
{
    size_t different, first;

    fill(words, 1);
    memcpy(others, words, sizeof words);
    device_count_differences(words, others, COUNT, &different, &first);
    cr_assert(different == 0 && first == SIZE_MAX);
    others[NEAR_END]++;
    device_count_differences(words, others, COUNT, &different, &first);
    cr_assert(different == 1 && first == NEAR_END);
}

static uint64_t checksum(cudaError_t (*function)(const uint32_t *, size_t, uint64_t *))
{
    uint64_t sum = 0;
    cr_assert(function(words, COUNT, &sum) == cudaSuccess);
    return sum;
}

Test(device_work, checksums, .timeout = TIMEOUT_S)
{
    fill(words, 1);
    const uint64_t ordered = checksum(device_checksum);
    const uint64_t unordered = checksum(device_checksum_unordered);
    const size_t at = 3;

    cr_assert(words[at] != words[NEAR_END]);
    const uint32_t word = words[at];
    words[at] = words[NEAR_END];
    words[NEAR_END] = word;
    cr_assert(checksum(device_checksum) != ordered, "an exchange shows in the ordered one");
    cr_assert(checksum(device_checksum_unordered) == unordered, "and not in the other");
    words[at]++;
    cr_assert(checksum(device_checksum_unordered) != unordered);
}

/* From exact integers, with a mistake at either end and one behind a staging part. */
Test(device_work, finds_what_is_no_weighted_sum, .timeout = TIMEOUT_S)
{
    enum { RADIUS = 3, MISTAKES = 3 };
    const float weights[2 * RADIUS + 1] = {1, -2, 3, 4, 5, -6, 7};
    const size_t mistakes[MISTAKES] = {0, NEAR_END, COUNT - 1};
    float *in = (float *)words, *got = (float *)others;
    size_t wrong = 9, first = 9;

    fill_integers(in, COUNT, -100, 100, 3);
    for (size_t i = 0; i < COUNT; i++) {
        got[i] = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if ((long)i + k >= 0 && (long)i + k < COUNT)
                got[i] += weights[RADIUS + k] * in[(long)i + k];
    }
    device_count_wrong_stencil(in, got, COUNT, weights, RADIUS, &wrong, &first);
    cr_assert(wrong == 0 && first == SIZE_MAX);
    for (size_t m = MISTAKES; m-- > 0;) {
        got[mistakes[m]] += 1;
        device_count_wrong_stencil(in, got, COUNT, weights, RADIUS, &wrong, &first);
        cr_assert(wrong == MISTAKES - m && first == mistakes[m]);
    }
    others[5] = 0x7fc00000;
    device_count_wrong_stencil(in, got, COUNT, weights, RADIUS, &wrong, &first);
    cr_assert(wrong == MISTAKES + 1, "a NaN is no sum");
    device_count_wrong_stencil(in, got, 2, weights, RADIUS, &wrong, &first);
    cr_assert(wrong == 2, "an array below the radius has other sums");
    got[0] = 4 * in[0] + 5 * in[1];
    got[1] = 3 * in[0] + 4 * in[1];
    device_count_wrong_stencil(in, got, 2, weights, RADIUS, &wrong, &first);
    cr_assert(wrong == 0);
    device_count_wrong_stencil(in, got, 0, weights, RADIUS, &wrong, &first);
    cr_assert(wrong == 0 && first == SIZE_MAX);
    cr_assert(device_count_wrong_stencil(
                  in, got, 2, weights, STENCIL_RADIUS_MAX + 1, &wrong, &first) != cudaSuccess);
}

Test(device_work, multiplies_a_matrix_by_a_vector, .timeout = TIMEOUT_S)
{
    enum { ROWS = 3, COLUMNS = COUNT / ROWS }; /* a row is not one staging part */
    static double vector[COLUMNS];
    double result[ROWS];

    fill_integers((float *)words, COUNT, -100, 100, 4);
    for (size_t i = 0; i < COLUMNS; i++)
        vector[i] = (double)(i % 7) - 3;
    cr_assert(device_times_vector((float *)words, ROWS, COLUMNS, vector, result) == cudaSuccess);
    for (size_t row = 0; row < ROWS; row++) {
        double want = 0;
        for (size_t i = 0; i < COLUMNS; i++)
            want += ((float *)words)[row * COLUMNS + i] * vector[i];
        cr_assert(result[row] == want);
    }
    cr_assert(device_times_vector((float *)words, 2, 0, vector, result) == cudaSuccess);
    cr_assert(result[0] == 0 && result[1] == 0);
}

Test(device_work, the_checksum_of_the_positive_is_that_of_a_compaction, .timeout = TIMEOUT_S)
{
    static uint32_t kept[COUNT];
    size_t count = 0, positive = 0;
    uint64_t sum = 0, compacted = 0;

    for (size_t i = 0; i < COUNT; i++)
        words[i] = (uint32_t)((int32_t)(i % 201) - 100);
    for (size_t i = COUNT; i-- > 0;)
        if ((int32_t)words[i] > 0)
            kept[count++] = words[i];
    device_checksum_positive((const int32_t *)words, COUNT, &positive, &sum);
    device_checksum_unordered(kept, count, &compacted);
    cr_assert(positive == count && sum == compacted);
    words[150]++;
    device_checksum_positive((const int32_t *)words, COUNT, &positive, &sum);
    cr_assert(sum != compacted);
}

Test(device_work, finds_what_is_not_transposed, .timeout = TIMEOUT_S)
{
    enum { ROWS = 611, COLUMNS = COUNT / ROWS, CELLS = ROWS * COLUMNS };
    const struct filled in = {.seed = 9, .low = -4000000, .high = 4000000};
    float *matrix = (float *)words, *turned = (float *)others;
    size_t different = 1, first = 1;

    fill_integers(matrix, CELLS, in.low, in.high, in.seed);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < COLUMNS; column++)
            turned[column * ROWS + row] = matrix[row * COLUMNS + column];
    cr_assert(
        device_count_untransposed(turned, ROWS, COLUMNS, &in, &different, &first) == cudaSuccess);
    cr_assert(different == 0 && first == SIZE_MAX);
    turned[5 * ROWS + 7] += 1;
    turned[CELLS - 1] += 1;
    device_count_untransposed(turned, ROWS, COLUMNS, &in, &different, &first);
    cr_assert(different == 2 && first == 5 * ROWS + 7);
    device_count_untransposed(matrix, ROWS, COLUMNS, &in, &different, &first);
    cr_assert(different > CELLS / 2 && first > 0, "a copy, right in the corners at most");
}

Test(device_work, finds_wrong_sums, .timeout = TIMEOUT_S)
{
    const struct filled a = {.seed = 3, .low = -9, .high = 9}, b = {.seed = 4, .low = 1, .high = 5};
    float *sums = (float *)words, *summands = (float *)others;
    size_t different = 1, first = 1;

    fill_integers(sums, COUNT, a.low, a.high, a.seed);
    fill_integers(summands, COUNT, b.low, b.high, b.seed);
    for (size_t i = 0; i < COUNT; i++)
        sums[i] += summands[i];
    cr_assert(device_count_wrong_sums(sums, COUNT, &a, &b, &different, &first) == cudaSuccess);
    cr_assert(different == 0 && first == SIZE_MAX);
    sums[NEAR_END] += 1;
    device_count_wrong_sums(sums, COUNT, &a, &b, &different, &first);
    cr_assert(different == 1 && first == NEAR_END);
    device_count_wrong_sums(sums, COUNT, &b, &b, &different, &first);
    cr_assert(different > COUNT / 2);
}
