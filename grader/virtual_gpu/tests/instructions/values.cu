/* See values.h. */
#include "values.h"
#include "instructions.h"

#include <string.h>

static const uint64_t edges_pred[] = {0, 1};
static const uint64_t edges_16[] = {0, 1, 0xFFFF, 0x8000, 0x7FFF, 2, 0xFFFE, 0x8001, 3, 7, 10,
    0x00FF, 0x0100, 0x0101, 0x007F, 0x0080, 0xFF80, 0xFF7F, 0x5555, 0xA5C3};
static const uint64_t edges_32[] = {0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 2, 0xFFFFFFFE,
    0x80000001, 3, 7, 10, 0xFFFFFFF6, 31, 32, 33, 0xFF, 0x100, 0x7F, 0x80, 0xFFFFFF80, 0xFFFF,
    0x10000, 0x7FFF, 0x8000, 0xFFFF8000, 0xFFFFFF, 0x1000000, 0x800000, 0x55555555, 0xDEADBEEF};
static const uint64_t edges_64[] = {0, 1, 0xFFFFFFFFFFFFFFFF, 0x8000000000000000,
    0x7FFFFFFFFFFFFFFF, 2, 0xFFFFFFFFFFFFFFFE, 0x8000000000000001, 3, 10, 0xFFFFFFFFFFFFFFF6, 63,
    64, 0x7F, 0x80, 0xFF, 0xFFFFFFFFFFFFFF80, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000,
    0xFFFFFFFF, 0x100000000, 0xFFFFFFFF80000000, 0xFFFFFFFF7FFFFFFF, 0x20000000000000,
    0x20000000000001, 0x5555555555555555, 0x0123456789ABCDEF};

/* ±0, denormals, the smallest normal, neighbours of 1, halves, ties, the largest, ±∞, quiet and
 * signalling NaN with payloads. */
static const uint64_t edges_f16[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x8001, 0x03FF, 0x83FF,
    0x0400, 0x8400, 0x3BFF, 0x3C01, 0x3800, 0x3E00, 0x4100, 0xC100, 0x6400, 0x6801, 0x7BFF, 0xFBFF,
    0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7C01, 0xFD55, 0x7FFF};
static const uint64_t edges_bf16[] = {0x0000, 0x8000, 0x3F80, 0xBF80, 0x0001, 0x8001, 0x007F,
    0x807F, 0x0080, 0x8080, 0x3F7F, 0x3F81, 0x3F00, 0x3FC0, 0x4020, 0xC020, 0x4380, 0x7F7F, 0xFF7F,
    0x7F80, 0xFF80, 0x7FC0, 0xFFC0, 0x7F81, 0xFFA5, 0x7FFF};
static const uint64_t edges_f16x2[] = {0x00000000, 0x80003C00, 0x00018001, 0x03FF0400, 0x3C01BBFF,
    0x7BFFFBFF, 0x7C00FC00, 0x7E003C00, 0x3C00FE00, 0x7C010000, 0xBC00FD55, 0x3E004100, 0x7BFF7BFF,
    0x84000001};
static const uint64_t edges_bf16x2[] = {0x00000000, 0x80003F80, 0x00018001, 0x007F0080, 0x3F81BF7F,
    0x7F7FFF7F, 0x7F80FF80, 0x7FC03F80, 0x3F80FFC0, 0x7F810000, 0xBF80FFA5, 0x3FC04020, 0x7F7F7F7F,
    0x80800001};
static const uint64_t edges_f32[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
    0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345, 0xFFA00001, 0x00000001, 0x80000001, 0x007FFFFF,
    0x807FFFFF, 0x00800000, 0x80800000, 0x00800001, 0x3F800001, 0x3F7FFFFF, 0x3F000000, 0x3FC00000,
    0x40400000, 0xC0490FDB, 0x33800000, 0x34000000, 0x1A000000, 0x4B800000, 0x7F7FFFFF, 0xFF7FFFFF,
    0x7F000000};
static const uint64_t edges_f64[] = {0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000,
    0xBFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000,
    0x7FF0000000000001, 0xFFF8123456789ABC, 0xFFF4000000000001, 0x0000000000000001,
    0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x800FFFFFFFFFFFFF, 0x0010000000000000,
    0x8010000000000000, 0x0010000000000001, 0x3FF0000000000001, 0x3FEFFFFFFFFFFFFF,
    0x3FE0000000000000, 0x3FF8000000000000, 0x4008000000000000, 0xC00921FB54442D18,
    0x3CA0000000000000, 0x3CB0000000000000, 0x1E60000000000000, 0x4340000000000000,
    0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, 0x7FE0000000000000};

/* What conversions find hard: ties, the ends of every integer's range and their neighbours, ties
 * and ends of half precision and bfloat16. */
static const uint64_t edges_convert32[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000,
    0x3F000000, 0xBF000000, 0x3EFFFFFF, 0x3F000001, 0x3FC00000, 0xBFC00000, 0x40200000, 0xC0200000,
    0x3F7FFFFF, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F800000, 0xFF800000, 0x7FC00000,
    0x7F800001, 0xFFC12345, 0xFFA00001, 0x7F7FFFFF, 0xFF7FFFFF, 0x42FE0000, 0x42FF0000, 0x437F0000,
    0x437F8000, 0x43800000, 0xC3000000, 0xC3008000, 0x46FFFE00, 0x46FFFF00, 0x477FFF00, 0x477FFF80,
    0xC7000000, 0x4F000000, 0x4EFFFFFF, 0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x5EFFFFFF,
    0x5F000000, 0xDF000000, 0xDF000001, 0x5F7FFFFF, 0x5F800000, 0x4AFFFFFF, 0x4B000001, 0x477FE000,
    0x477FEFFF, 0x477FF000, 0xC77FF000, 0x38800000, 0x387FFFFF, 0x33000000, 0x33000001, 0x33800000,
    0x33C00000, 0x3F801000, 0x3F803000, 0x3F801001, 0x3F808000, 0x3F818000, 0x3F807FFF, 0x7F7F8000,
    0x7F7F7FFF};
static const uint64_t edges_convert64[] = {0x0000000000000000, 0x8000000000000000,
    0x3FF0000000000000, 0xBFF0000000000000, 0x3FE0000000000000, 0xBFE0000000000000,
    0x3FDFFFFFFFFFFFFF, 0x3FE0000000000001, 0x3FF8000000000000, 0xBFF8000000000000,
    0x4004000000000000, 0xC004000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF,
    0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001,
    0xFFF8123456789ABC, 0x7FF4000020000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF,
    0x405FC00000000000, 0x405FE00000000000, 0x406FE00000000000, 0x406FF00000000000,
    0xC060000000000000, 0xC060100000000000, 0x40DFFFC000000000, 0x40DFFFE000000000,
    0x40EFFFF000000000, 0xC0E0001000000000, 0x41DFFFFFFFC00000, 0x41DFFFFFFFE00000,
    0x41E0000000000000, 0xC1E0000000000000, 0xC1E0000000200000, 0x41EFFFFFFFE00000,
    0x41EFFFFFFFF00000, 0x41F0000000000000, 0x43DFFFFFFFFFFFFF, 0x43E0000000000000,
    0xC3E0000000000000, 0xC3E0000000000001, 0x43EFFFFFFFFFFFFF, 0x43F0000000000000,
    0x432FFFFFFFFFFFFF, 0x4330000000000001, 0x3FF0000010000000, 0x3FF0000030000000,
    0x3FF0000010000001, 0x47EFFFFFE0000000, 0x47EFFFFFEFFFFFFF, 0x47EFFFFFF0000000,
    0x3810000000000000, 0x380FFFFFFFFFFFFF, 0x36A0000000000000, 0x3690000000000000,
    0x3690000000000001, 0x40EFFC0000000000, 0x40EFFDFFFFFFFFFF, 0x40EFFE0000000000,
    0x3E70000000000000, 0x3E60000000000000, 0x3E60000000000001, 0x3FF0020000000000,
    0x3FF0060000000000};
static const uint64_t edges_angle[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00800000,
    0x3F800000, 0xBF800000, 0x3FC90FDB, 0x40490FDB, 0xC0490FDB, 0x40C90FDB, 0x3F490FDB, 0x42C80000,
    0x7F800000, 0xFF800000, 0x7FC00000, 0xFFA00001};

static const uint64_t edges_count[] = {
    0, 1, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0x10001, 0x80000000, 0xFFFFFFFF};
static const uint64_t edges_field[] = {
    0, 1, 5, 8, 16, 31, 32, 33, 63, 64, 65, 255, 256, 0x101, 0xFFFFFFFF};
static const uint64_t edges_lane[] = {0, 1, 5, 15, 16, 30, 31};
static const uint64_t edges_nth[] = {0, 1, 2, 5, 31, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFE0};

/* How a kind draws its pseudo-random values. */
enum draw { DRAW_EDGES, DRAW_INTEGER, DRAW_FLOAT, DRAW_BITS, DRAW_ANGLE };

static const struct {
    uint32_t bits;
    const uint64_t *edges;
    uint32_t edge_count;
    enum draw draw;
} kinds[VALUES_kinds] = {
#define KIND(bits, edges, draw)                             \
    {                                                       \
        bits, edges, sizeof(edges) / sizeof(edges[0]), draw \
    }
    {0, edges_pred, 1, DRAW_EDGES},
    KIND(1, edges_pred, DRAW_EDGES),
    KIND(16, edges_16, DRAW_INTEGER),
    KIND(16, edges_16, DRAW_INTEGER),
    KIND(32, edges_32, DRAW_INTEGER),
    KIND(32, edges_32, DRAW_INTEGER),
    KIND(64, edges_64, DRAW_INTEGER),
    KIND(64, edges_64, DRAW_INTEGER),
    KIND(16, edges_f16, DRAW_BITS),
    KIND(16, edges_bf16, DRAW_BITS),
    KIND(32, edges_f16x2, DRAW_BITS),
    KIND(32, edges_bf16x2, DRAW_BITS),
    KIND(32, edges_f32, DRAW_FLOAT),
    KIND(64, edges_f64, DRAW_FLOAT),
    KIND(32, edges_convert32, DRAW_FLOAT),
    KIND(64, edges_convert64, DRAW_FLOAT),
    KIND(32, edges_angle, DRAW_ANGLE),
    KIND(32, edges_count, DRAW_EDGES),
    KIND(32, edges_field, DRAW_EDGES),
    KIND(32, edges_lane, DRAW_EDGES),
    KIND(32, edges_nth, DRAW_EDGES),
};

/* Rows of edges and of pseudo-random values; a single 16-bit operand takes every value. */
enum { EDGE_ROWS_MAX = 1536, RANDOM_ROWS = 1024, ALL_16_BIT = 65536 };

/* A bijective mixer of 64 bits: neighbouring numbers give unrelated ones. */
static uint64_t mixed(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    return x ^ x >> 32;
}

static uint64_t ones(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

uint32_t values_bits(enum values kind)
{
    return kinds[kind].bits;
}

static uint32_t edge_product(const enum values operands[])
{
    uint32_t product = 1;
    for (int k = 0; k < OPERANDS; k++)
        product *= kinds[operands[k]].edge_count;
    return product;
}

/* The one operand, when it has 16 bits. */
static bool is_single_16_bit(const enum values operands[])
{
    return kinds[operands[0]].bits == 16 && operands[1] == VALUES_none;
}

uint32_t values_edge_rows(const enum values operands[])
{
    uint32_t product = edge_product(operands);
    return product < EDGE_ROWS_MAX ? product : EDGE_ROWS_MAX;
}

uint32_t values_rows(const enum values operands[])
{
    if (operands[0] == VALUES_none)
        return 1;
    uint32_t edges = values_edge_rows(operands);
    return is_single_16_bit(operands) ? edges + ALL_16_BIT : edges + RANDOM_ROWS;
}

/* A floating-point number of any size, or one near 1 so that sums round and cancel. */
static uint64_t draw_float(uint32_t bits, uint64_t random)
{
    uint64_t value = mixed(random) & ones(bits);
    if (random % 2 == 0)
        return value;
    uint32_t fraction = bits == 32 ? 23 : 52;
    uint64_t bias = bits == 32 ? 127 : 1023, exponent = bias - 12 + (random >> 8) % 25;
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return (value & (sign | ones(fraction))) | exponent << fraction;
}

/* All bits random, a small number, or a power of two and its neighbours. */
static uint64_t draw_integer(uint32_t bits, uint64_t random)
{
    uint64_t value = mixed(random);
    switch (random % 4) {
    case 0:
        return value & 0xFF;
    case 1:
        return (((uint64_t)1 << (value % bits)) + (value >> 8) % 3 - 1) & ones(bits);
    default:
        return value & ones(bits);
    }
}

/* −100 … −75, and a quarter of them 4096 times smaller. */
static uint64_t draw_angle(uint64_t random)
{
    float angle = (float)((double)(random >> 32) / 0x1p29 * 25 - 100);
    if (random % 4 == 0)
        angle *= 0x1p-12f;
    uint32_t bits;
    memcpy(&bits, &angle, sizeof bits);
    return bits;
}

static uint64_t draw(enum values kind, uint64_t random)
{
    uint32_t bits = kinds[kind].bits;
    uint64_t edge = kinds[kind].edges[(random >> 16) % kinds[kind].edge_count];
    if (random % 8 == 7)
        return edge;
    switch (kinds[kind].draw) {
    case DRAW_INTEGER:
        return draw_integer(bits, random / 8);
    case DRAW_FLOAT:
        return draw_float(bits, random / 8);
    case DRAW_BITS:
        return mixed(random) & ones(bits);
    case DRAW_ANGLE:
        return draw_angle(random / 8);
    default:
        return edge;
    }
}

void values_row(const enum values operands[], uint32_t row, uint64_t *out)
{
    uint32_t edge_rows = values_edge_rows(operands), product = edge_product(operands);
    /* A stride without a common factor visits every combination, and soon differing ones. One
     * operand keeps its order. */
    bool is_single = operands[1] == VALUES_none;
    uint64_t pair = is_single ? row : (uint64_t)row * 7919 % product;
    for (int k = 0; k < OPERANDS; k++) {
        uint32_t count = kinds[operands[k]].edge_count;
        if (operands[k] == VALUES_none)
            out[k] = 0;
        else if (row < edge_rows)
            out[k] = kinds[operands[k]].edges[pair % count];
        else if (is_single_16_bit(operands))
            out[k] = row - edge_rows;
        else
            out[k] = draw(operands[k], mixed((uint64_t)row * OPERANDS + (uint64_t)k + 1));
        pair /= count;
    }
}
