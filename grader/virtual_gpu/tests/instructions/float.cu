/* Single and double precision: rounded, saturating, flushing and approximate operations. */
#include "instructions.h"

/* form(name, type) for every rounding. */
#define ROUNDINGS(op, form, rest, type)                                           \
    form(op ".rn" rest, type) form(op ".rz" rest, type) form(op ".rm" rest, type) \
        form(op ".rp" rest, type)
#define UNARY(name, type) CASE1(name, type, type)
#define BINARY(name, type) CASE2(name, type, type, type)
#define TERNARY(name, type) CASE3(name, type, type, type, type)

#define SINGLE(op, form)             \
    ROUNDINGS(op, form, ".f32", f32) \
    ROUNDINGS(op, form, ".ftz.f32", f32)
#define SINGLE_SATURATING(op, form)      \
    SINGLE(op, form)                     \
    ROUNDINGS(op, form, ".sat.f32", f32) \
    ROUNDINGS(op, form, ".ftz.sat.f32", f32)
#define UNROUNDED(op, form)                                                \
    form(op ".f32", f32) form(op ".ftz.f32", f32) form(op ".sat.f32", f32) \
        form(op ".ftz.sat.f32", f32)
#define DOUBLE(op, form) ROUNDINGS(op, form, ".f64", f64)

SINGLE_SATURATING("add", BINARY)
SINGLE_SATURATING("sub", BINARY)
SINGLE_SATURATING("mul", BINARY)
SINGLE_SATURATING("fma", TERNARY)
SINGLE_SATURATING("mad", TERNARY)
UNROUNDED("add", BINARY)
UNROUNDED("sub", BINARY)
UNROUNDED("mul", BINARY)
SINGLE("div", BINARY)
SINGLE("rcp", UNARY)
SINGLE("sqrt", UNARY)
DOUBLE("add", BINARY)
DOUBLE("sub", BINARY)
DOUBLE("mul", BINARY)
DOUBLE("fma", TERNARY)
DOUBLE("mad", TERNARY)
BINARY("add.f64", f64)
BINARY("sub.f64", f64)
BINARY("mul.f64", f64)
DOUBLE("div", BINARY)
DOUBLE("rcp", UNARY)
DOUBLE("sqrt", UNARY)

#define MIN_MAX(op)                \
    BINARY(op ".f32", f32)         \
    BINARY(op ".ftz.f32", f32)     \
    BINARY(op ".NaN.f32", f32)     \
    BINARY(op ".ftz.NaN.f32", f32) \
    BINARY(op ".f64", f64)
MIN_MAX("min")
MIN_MAX("max")
#define SIGN(op)              \
    UNARY(op ".f32", f32)     \
    UNARY(op ".ftz.f32", f32) \
    UNARY(op ".f64", f64)
SIGN("neg")
SIGN("abs")
BINARY("copysign.f32", f32)
BINARY("copysign.f64", f64)
#define TESTS(property)                         \
    CASE1("testp." #property ".f32", pred, f32) \
    CASE1("testp." #property ".f64", pred, f64)
TESTS(finite)
TESTS(infinite)
TESTS(number)
TESTS(notanumber)
TESTS(normal)
TESTS(subnormal)

#define APPROXIMATE(op, type)                 \
    APPROXIMATE1(op ".approx.f32", f32, type) \
    APPROXIMATE1(op ".approx.ftz.f32", f32, type)
APPROXIMATE("rcp", f32)
APPROXIMATE("sqrt", f32)
APPROXIMATE("rsqrt", f32)
APPROXIMATE("ex2", f32)
APPROXIMATE("ex2", angle)
APPROXIMATE("lg2", f32)
APPROXIMATE("sin", angle)
APPROXIMATE("cos", angle)
APPROXIMATE1("tanh.approx.f32", f32, f32)
APPROXIMATE1("tanh.approx.f32", f32, angle)
APPROXIMATE2("div.approx.f32", f32, f32, f32)
APPROXIMATE2("div.approx.ftz.f32", f32, f32, f32)
APPROXIMATE2("div.full.f32", f32, f32, f32)
APPROXIMATE2("div.full.ftz.f32", f32, f32, f32)
APPROXIMATE1("rcp.approx.ftz.f64", f64, f64)
APPROXIMATE1("rsqrt.approx.f64", f64, f64)
APPROXIMATE1("rsqrt.approx.ftz.f64", f64, f64)
