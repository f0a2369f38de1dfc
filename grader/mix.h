/* The numbers behind every seeded input, for host and device code alike. */
#ifndef GRADER_MIX_H
#define GRADER_MIX_H

#include <stdint.h>

#ifdef __CUDACC__
#define MIX_FUNCTION __host__ __device__ static inline
#else
#define MIX_FUNCTION static inline
#endif

/* 64 well-mixed bits for position i of stream `seed`: two odd multipliers spread the arguments,
 * then shifts and multiplications let every bit of them reach every bit of the result. */
MIX_FUNCTION uint64_t mixed_bits(uint64_t seed, uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1342543de82ef95u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The same as an integer in [low, high]; every range up to the whole of int32_t. */
MIX_FUNCTION int32_t mixed_integer(uint64_t seed, uint64_t i, int32_t low, int32_t high)
{
    uint64_t range = (uint64_t)((int64_t)high - low) + 1;
    return (int32_t)(low + (int64_t)((mixed_bits(seed, i) >> 32) * range >> 32));
}

#undef MIX_FUNCTION

#endif
