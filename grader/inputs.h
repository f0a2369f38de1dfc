/* Seeded inputs: the same seed makes the same numbers on every machine. No CUDA in here. */
#ifndef GRADER_INPUTS_H
#define GRADER_INPUTS_H

#include <stddef.h>
#include <stdint.h>

/* 64 well-mixed bits for position i of stream `seed`; device_work.cu uses the same function. */
uint64_t mix(uint64_t seed, uint64_t i);

/* The seed of the stream that belongs to a name. */
uint64_t seed_from_text(const char *text);

/* What gives an array its contents. */
typedef void fill_function(float *values, size_t n, uint64_t seed);

/* Integers in [low, high], stored as floats: sums of them below 2^24 are exact in any order. */
void fill_integers(float *values, size_t n, int low, int high, uint64_t seed);
void fill_ints(int32_t *values, size_t n, int low, int high, uint64_t seed);

/* Floats in [-1, 1), all bits used: results depend on the order of additions. */
void fill_floats(float *values, size_t n, uint64_t seed);

/* Magnitudes from 2^-20 to 2^20 and both signs: a comparison with a careless bound fails. */
void fill_wide(float *values, size_t n, uint64_t seed);

/* All zero but a 1 at position `hot`: shows which element is dropped or counted twice.
 * With hot >= n all are zero. */
void fill_one_hot(float *values, size_t n, size_t hot);

#endif
