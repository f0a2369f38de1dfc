/* The table of instruction results: how a case is written.
 *
 * A case is one PTX instruction, or a few that only make sense together, between registers of known
 * types.  A macro turns it into a kernel that reads up to four operands and yields up to two
 * results, each as 64 raw bits, and enters it into the list that instructions.cu runs:
 *     CASE2("add.s32", s32, s32, s32)
 * The text of a case names its registers
 *     d, e        results                     x, y, z, v  operands
 * and those that work with memory also
 *     g           address of 64 bytes of global memory of this thread (generic, 64 bits)
 *     s           address of 64 bytes of shared memory of this thread (shared window, 32 bits)
 *     i           address of the operands in global memory, which nothing writes
 *     k           address of 64 bytes of constant memory
 */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

#include <stdint.h>

#include "values.h"

enum { OPERANDS = 4, RESULTS = 2, SLOT_BYTES = 64, THREADS_PER_BLOCK = 64 };

struct instruction;

/* Operands of row r are in[OPERANDS * r …], its results go to out[RESULTS * r …]; `slots` are
 * SLOT_BYTES a row, zero. Collective cases take the mask of the lanes that execute. */
typedef void instruction_kernel(
    const uint64_t *in, uint64_t *out, uint32_t rows, uint8_t *slots, uint32_t mask);

/* Feeds a collective case with operands; see warp.cu. */
typedef void collective_inputs(const struct instruction *instruction);

struct instruction {
    const char *name;
    instruction_kernel *kernel;
    enum values operands[OPERANDS], results[RESULTS]; /* VALUES_none: there is none */
    bool is_approximate;                              /* compared within a bound, so no digest */
    bool uses_memory;
    collective_inputs *inputs; /* NULL: each thread is a row */
    struct instruction *next;
};

/* Puts an instruction at the end of the list, before main starts. */
struct enter_instruction {
    explicit enter_instruction(struct instruction *instruction);
};

/* Runs a collective case in one block and prints the row. Operand k of thread t is
 * in[OPERANDS * t + k]. */
void run_collective(
    const struct instruction *instruction, uint32_t threads, uint32_t mask, const uint64_t *in);

/* ---- registers ------------------------------------------------------------------------------- */

/* The size of a register in bits: 1 is a predicate, 0 none. */
#define SIZE_none 0
#define SIZE_pred 1
#define SIZE_u16 16
#define SIZE_s16 16
#define SIZE_f16 16
#define SIZE_bf16 16
#define SIZE_u32 32
#define SIZE_s32 32
#define SIZE_f32 32
#define SIZE_f16x2 32
#define SIZE_bf16x2 32
#define SIZE_convert32 32
#define SIZE_angle 32
#define SIZE_count 32
#define SIZE_field 32
#define SIZE_lane 32
#define SIZE_nth 32
#define SIZE_u64 64
#define SIZE_s64 64
#define SIZE_f64 64
#define SIZE_convert64 64

#define DECLARE_0(r)
#define DECLARE_1(r) ".reg .pred " r ";\n\t"
#define DECLARE_16(r) ".reg .b16 " r ";\n\t"
#define DECLARE_32(r) ".reg .b32 " r ";\n\t"
#define DECLARE_64(r) ".reg .b64 " r ";\n\t"
#define LOAD_0(r, from)
#define LOAD_1(r, from) "setp.ne.u64 " r ", " from ", 0;\n\t"
#define LOAD_16(r, from) "cvt.u16.u64 " r ", " from ";\n\t"
#define LOAD_32(r, from) "cvt.u32.u64 " r ", " from ";\n\t"
#define LOAD_64(r, from) "mov.b64 " r ", " from ";\n\t"
#define STORE_0(r, to) "mov.b64 " to ", 0;\n\t"
#define STORE_1(r, to) "selp.u64 " to ", 1, 0, " r ";\n\t"
#define STORE_16(r, to) "cvt.u64.u16 " to ", " r ";\n\t"
#define STORE_32(r, to) "cvt.u64.u32 " to ", " r ";\n\t"
#define STORE_64(r, to) "mov.b64 " to ", " r ";\n\t"
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define DECLARE(type, r) JOIN(DECLARE_, SIZE_##type)(r)
#define LOAD(type, r, from) JOIN(LOAD_, SIZE_##type)(r, from)
#define STORE(type, r, to) JOIN(STORE_, SIZE_##type)(r, to)

/* ---- cases ----------------------------------------------------------------------------------- */

#define REGISTERS(D, E, A, B, C, F) \
    DECLARE(D, "d")                 \
    DECLARE(E, "e")                 \
    DECLARE(A, "x")                 \
    DECLARE(B, "y")                 \
    DECLARE(C, "z")                 \
    DECLARE(F, "v") LOAD(A, "x", "%2") LOAD(B, "y", "%3") LOAD(C, "z", "%4") LOAD(F, "v", "%5")

#define ENTRY(n, name, approximate, memory, inputs, D, E, A, B, C, F)                            \
    static struct instruction instruction_##n = {name, kernel_##n,                               \
        {VALUES_##A, VALUES_##B, VALUES_##C, VALUES_##F}, {VALUES_##D, VALUES_##E}, approximate, \
        memory, inputs, NULL};                                                                   \
    static const enter_instruction enter_##n(&instruction_##n);

#define PLAIN_(n, name, text, approximate, D, E, A, B, C, F)                             \
    static __global__ void kernel_##n(                                                   \
        const uint64_t *in, uint64_t *out, uint32_t rows, uint8_t *, uint32_t)           \
    {                                                                                    \
        uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;                            \
        if (row >= rows)                                                                 \
            return;                                                                      \
        in += OPERANDS * row;                                                            \
        uint64_t d, e;                                                                   \
        asm volatile("{\n\t" REGISTERS(D, E, A, B, C, F) text "\n\t" STORE(D, "d", "%0") \
                         STORE(E, "e", "%1") "}"                                         \
                     : "=l"(d), "=l"(e)                                                  \
                     : "l"(in[0]), "l"(in[1]), "l"(in[2]), "l"(in[3])                    \
                     : "memory");                                                        \
        out[RESULTS * row] = d;                                                          \
        out[RESULTS * row + 1] = e;                                                      \
    }                                                                                    \
    ENTRY(n, name, approximate, false, NULL, D, E, A, B, C, F)
#define PLAIN(n, ...) PLAIN_(n, __VA_ARGS__)

/* CASE(name, text, D, E, A, B, C, F): any text. CASE1 … CASE4: the result, then the operands. */
#define CASE(name, text, D, E, A, B, C, F) PLAIN(__COUNTER__, name, text, false, D, E, A, B, C, F)
#define CASE1(name, D, A) CASE(name, name " d, x;", D, none, A, none, none, none)
#define CASE2(name, D, A, B) CASE(name, name " d, x, y;", D, none, A, B, none, none)
#define CASE3(name, D, A, B, C) CASE(name, name " d, x, y, z;", D, none, A, B, C, none)
#define CASE4(name, D, A, B, C, F) CASE(name, name " d, x, y, z, v;", D, none, A, B, C, F)
#define APPROXIMATE1(name, D, A) \
    PLAIN(__COUNTER__, name, name " d, x;", true, D, none, A, none, none, none)
#define APPROXIMATE2(name, D, A, B) \
    PLAIN(__COUNTER__, name, name " d, x, y;", true, D, none, A, B, none, none)

/* A case with memory: registers g, s, i and k besides. */
#define MEMORY_(n, name, text, D, E, A, B, C, F)                                                  \
    static __global__ void kernel_##n(                                                            \
        const uint64_t *in, uint64_t *out, uint32_t rows, uint8_t *slots, uint32_t)               \
    {                                                                                             \
        __shared__ uint4 shared_slots[THREADS_PER_BLOCK][SLOT_BYTES / sizeof(uint4)];             \
        uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;                                     \
        if (row >= rows)                                                                          \
            return;                                                                               \
        in += OPERANDS * row;                                                                     \
        for (uint32_t at = 0; at < SLOT_BYTES / sizeof(uint4); at++)                              \
            shared_slots[threadIdx.x][at] = make_uint4(0, 0, 0, 0);                               \
        uint64_t d, e;                                                                            \
        asm volatile(                                                                             \
            "{\n\t.reg .b64 g, i, k;\n\t.reg .b32 s;\n\t"                                         \
            "mov.b64 g, %6;\n\tmov.b32 s, %7;\n\tmov.b64 i, %8;\n\tmov.b64 k, %9;\n\t" REGISTERS( \
                D, E, A, B, C, F) text "\n\t" STORE(D, "d", "%0") STORE(E, "e", "%1") "}"         \
            : "=l"(d), "=l"(e)                                                                    \
            : "l"(in[0]), "l"(in[1]), "l"(in[2]), "l"(in[3]), "l"(slots + SLOT_BYTES * row),      \
            "r"((uint32_t)__cvta_generic_to_shared(shared_slots[threadIdx.x])), "l"(in),          \
            "l"(case_constants)                                                                   \
            : "memory");                                                                          \
        out[RESULTS * row] = d;                                                                   \
        out[RESULTS * row + 1] = e;                                                               \
    }                                                                                             \
    ENTRY(n, name, false, true, NULL, D, E, A, B, C, F)
#define MEMORY(...) MEMORY__(__COUNTER__, __VA_ARGS__)
#define MEMORY__(n, ...) MEMORY_(n, __VA_ARGS__)

/* A case that the lanes of a mask execute together; m holds the mask, s and g are addresses that
 * all share, where the first thread's z was put. */
#define COLLECTIVE_(n, inputs, name, text, D, E, A, B, C)                                    \
    static __global__ void kernel_##n(                                                       \
        const uint64_t *in, uint64_t *out, uint32_t rows, uint8_t *slots, uint32_t mask)     \
    {                                                                                        \
        __shared__ uint64_t shared_slot[SLOT_BYTES / 8];                                     \
        uint32_t row = threadIdx.x;                                                          \
        if (row == 0) {                                                                      \
            shared_slot[0] = in[2];                                                          \
            *(uint64_t *)slots = in[2];                                                      \
        }                                                                                    \
        __syncthreads();                                                                     \
        in += OPERANDS * row;                                                                \
        uint64_t d = 0, e = 0;                                                               \
        if ((mask >> (row & 31) & 1) != 0)                                                   \
            asm volatile("{\n\t.reg .b64 g;\n\t.reg .b32 s, m;\n\t"                          \
                         "mov.b64 g, %6;\n\tmov.b32 s, %7;\n\tmov.b32 m, %8;\n\t" REGISTERS( \
                             D, E, A, B, C, none) text "\n\t" STORE(D, "d", "%0")            \
                             STORE(E, "e", "%1") "}"                                         \
                         : "=l"(d), "=l"(e)                                                  \
                         : "l"(in[0]), "l"(in[1]), "l"(in[2]), "l"(in[3]), "l"(slots),       \
                         "r"((uint32_t)__cvta_generic_to_shared(shared_slot)), "r"(mask)     \
                         : "memory");                                                        \
        out[RESULTS * row] = d;                                                              \
        out[RESULTS * row + 1] = e;                                                          \
    }                                                                                        \
    ENTRY(n, name, false, false, inputs, D, E, A, B, C, none)
#define COLLECTIVE(...) COLLECTIVE__(__COUNTER__, __VA_ARGS__)
#define COLLECTIVE__(n, ...) COLLECTIVE_(n, __VA_ARGS__)

#endif
