/* The grader's own kernels on contents, called from C. Never visible to a candidate.
 * All pointers are device pointers, all counts elements of 4 bytes. The functions that return a
 * number wait for it; the others queue their work on the default stream.  On the virtual GPU all
 * of them run as loops on the host: they are not under judgement. */
#ifndef GRADER_DEVICE_WORK_H
#define GRADER_DEVICE_WORK_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t device_fill_words(uint32_t *words, size_t count, uint32_t word);

/* How many words differ from `word`, and the index of the first (SIZE_MAX: none). */
cudaError_t device_count_other_words(
    const uint32_t *words, size_t count, uint32_t word, size_t *different, size_t *first);

/* Order-dependent: any changed or exchanged word changes it. */
cudaError_t device_checksum(const uint32_t *words, size_t count, uint64_t *checksum);

/* Order-independent: equal for equal multisets of words. */
cudaError_t device_checksum_unordered(const uint32_t *words, size_t count, uint64_t *checksum);

/* How many elements are greater than 0, and the unordered checksum of those. */
cudaError_t device_checksum_positive(
    const int32_t *values, size_t count, size_t *positive, uint64_t *checksum);

/* Element i becomes mix(seed, i) mapped to an integer in [low, high], as on the host (inputs.h). */
cudaError_t device_fill_integers(float *values, size_t count, int low, int high, uint64_t seed);
cudaError_t device_fill_ints(int32_t *values, size_t count, int low, int high, uint64_t seed);

/* How many elements differ between two device arrays, and the first (SIZE_MAX: none). */
cudaError_t device_count_differences(
    const uint32_t *got, const uint32_t *want, size_t count, size_t *different, size_t *first);

/* How many elements of `got` are not the weighted sums of their neighbours in `in`,
 *     weights[0] in[i - radius] + … + weights[2 radius] in[i + radius],
 * with zeros outside the array, and the first (SIZE_MAX: none).  weights: host, 2 radius + 1 floats.
 * Sums must be exact in a float. */
enum { STENCIL_RADIUS_MAX = 32 };
cudaError_t device_count_wrong_stencil(const float *in, const float *got, size_t count,
    const float *weights, unsigned radius, size_t *wrong, size_t *first);

/* result = matrix vector, in double.  matrix: device, row-major; vector: host, `columns` numbers;
 * result: host, `rows` numbers. */
cudaError_t device_times_vector(
    const float *matrix, size_t rows, size_t columns, const double *vector, double *result);

/* What device_fill_integers() was told. */
struct filled {
    uint64_t seed;
    int low, high;
};

/* How many elements of `sums` are not the sum of element i of one filled array and element i of
 * another, and the first (SIZE_MAX: none). */
cudaError_t device_count_wrong_sums(const float *sums, size_t count, const struct filled *a,
    const struct filled *b, size_t *different, size_t *first);

/* The same for the elements of `got`, columns x rows and row-major, that are not those of the
 * transpose of a filled matrix, rows x columns. */
cudaError_t device_count_untransposed(const float *got, size_t rows, size_t columns,
    const struct filled *in, size_t *different, size_t *first);

#ifdef __cplusplus
}
#endif

#endif
