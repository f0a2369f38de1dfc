/* Half precision and bfloat16, alone and in pairs. */
#include "instructions.h"

#define UNARY(name, type) CASE1(name, type, type)
#define BINARY(name, type) CASE2(name, type, type, type)
#define TERNARY(name, type) CASE3(name, type, type, type, type)
/* form(name, type) for one number and for two. */
#define BOTH(op, form) form(op ".f16", f16) form(op ".f16x2", f16x2)
#define BOTH_BFLOAT(op, form) form(op ".bf16", bf16) form(op ".bf16x2", bf16x2)

#define SUM(op)                 \
    BOTH(op, BINARY)            \
    BOTH(op ".ftz", BINARY)     \
    BOTH(op ".sat", BINARY)     \
    BOTH(op ".ftz.sat", BINARY) \
    BOTH(op ".rn", BINARY)      \
    BOTH(op ".rn.ftz", BINARY)  \
    BOTH(op ".rn.sat", BINARY)  \
    BOTH(op ".rn.ftz.sat", BINARY)
SUM("add")
SUM("sub")
SUM("mul")
BOTH("fma.rn", TERNARY)
BOTH("fma.rn.ftz", TERNARY)
BOTH("fma.rn.sat", TERNARY)
BOTH("fma.rn.ftz.sat", TERNARY)
BOTH("fma.rn.relu", TERNARY)
BOTH("fma.rn.ftz.relu", TERNARY)
BOTH_BFLOAT("fma.rn", TERNARY)
BOTH_BFLOAT("fma.rn.relu", TERNARY)

#define SIGN(op)           \
    BOTH(op, UNARY)        \
    BOTH(op ".ftz", UNARY) \
    BOTH_BFLOAT(op, UNARY)
SIGN("neg")
SIGN("abs")
#define MIN_MAX(op)             \
    BOTH(op, BINARY)            \
    BOTH(op ".ftz", BINARY)     \
    BOTH(op ".NaN", BINARY)     \
    BOTH(op ".ftz.NaN", BINARY) \
    BOTH_BFLOAT(op, BINARY)     \
    BOTH_BFLOAT(op ".NaN", BINARY)
MIN_MAX("min")
MIN_MAX("max")

#define APPROXIMATE(name, type) APPROXIMATE1(name, type, type)
BOTH("tanh.approx", APPROXIMATE)
BOTH("ex2.approx", APPROXIMATE)
