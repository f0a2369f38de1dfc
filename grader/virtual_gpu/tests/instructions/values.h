/* Operand values: the edges of each type first, then pseudo-random ones; always the same. */
#ifndef VALUES_H
#define VALUES_H

#include <stdint.h>

enum values {
    VALUES_none,
    VALUES_pred,
    VALUES_u16,
    VALUES_s16,
    VALUES_u32,
    VALUES_s32,
    VALUES_u64,
    VALUES_s64,
    VALUES_f16,
    VALUES_bf16,
    VALUES_f16x2,
    VALUES_bf16x2,
    VALUES_f32,
    VALUES_f64,
    VALUES_convert32, /* single precision, with what conversions find hard */
    VALUES_convert64,
    VALUES_angle, /* single precision for sine and cosine */
    VALUES_count, /* shift counts */
    VALUES_field, /* position or length of a bit field */
    VALUES_lane,  /* 0 … 31 */
    VALUES_nth,   /* −32 … 31 */
    VALUES_kinds
};

/* Bits of such a value: 1 for predicates, 0 for none. */
uint32_t values_bits(enum values kind);

/* How many rows the edges of these operands make when each meets each, and how many there are in
 * all: rows beyond the edges are pseudo-random. */
uint32_t values_edge_rows(const enum values operands[]);
uint32_t values_rows(const enum values operands[]);

/* Fills the operands of row `row`. */
void values_row(const enum values operands[], uint32_t row, uint64_t *out);

#endif
