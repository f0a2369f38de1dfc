/* A function ready to execute: instructions with handlers, operands as offsets.
 *
 * Every register, immediate and constant special register of a function is a *cell* in its frame:
 * 32 lanes of 4 bytes (8-, 16- and 32-bit registers), 32 lanes of 8 bytes (64-bit), or one 32-bit
 * mask (predicates).  An operand is the cell's byte offset in the frame, so a handler needs no
 * cases: an immediate is a cell whose 32 lanes are equal.
 */
#ifndef VIRTUAL_GPU_PROGRAM_H
#define VIRTUAL_GPU_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "ptx.h"

struct warp;
struct group;
struct insn;

enum { WARP_LANES = 32 };
#define FULL_MASK 0xFFFFFFFFu

/* Computes for the lanes in `mask` (never empty). */
typedef void insn_handler(struct warp *warp, const struct insn *insn, uint32_t mask);

/* Instructions that change the flow: decides where the group goes on.  `mask` are the lanes whose
 * guard holds and may be empty. */
enum flow { FLOW_GO_ON, FLOW_SWITCH /* the group waits, ended or was replaced */ };
typedef enum flow insn_flow(
    struct warp *warp, struct group *group, const struct insn *insn, uint32_t mask);

/* What counters group an instruction with. */
enum insn_class {
    CLASS_OTHER,
    CLASS_INTEGER,
    CLASS_FLOAT,
    CLASS_DOUBLE,
    CLASS_SPECIAL,
    CLASS_MEMORY,
    CLASS_CONTROL,
    CLASS_COLLECTIVE
};

enum access_kind { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* Memory orderings, as flags of insn->order. */
enum {
    ORDER_STRONG = 1, /* volatile, relaxed, acquire, release, atomic: not a data race */
    ORDER_ACQUIRE = 2,
    ORDER_RELEASE = 4,
    ORDER_BLOCK = 8, /* .cta scope: says nothing to other blocks */
    ORDER_ATOMIC = 16,
    ORDER_READ_ONLY = 32, /* .nc: through the cache of what no thread writes in this launch */
    ORDER_SYSTEM = 64,    /* .sys scope: holds for the host, too */
};

enum { NO_CELL = 0xFFFFFFFFu, NO_PC = 0xFFFFFFFFu, VECTOR_MAX = 8 };

/* Executions and memory traffic of one instruction in one launch; see count.h. */
struct insn_counts {
    uint64_t warps, threads;
    uint64_t requests, sectors, sectors_ideal; /* global */
    uint64_t shared_requests, wavefronts, wavefronts_ideal;
    uint64_t local_requests, constant_requests;
    uint64_t bytes;
    uint64_t divergent;                     /* branches */
    uint64_t lanes, serialised, operations; /* atomics */
    uint64_t shared_atomic_passes;          /* beyond their wavefronts */
};

/* The allocation that this instruction touched last: most accesses stay inside one. */
struct insn_window {
    uint64_t low, high; /* addresses [low, high) are fine */
    struct allocation *allocation;
};

struct insn {
    insn_handler *handler; /* NULL when there is a flow function */
    insn_flow *flow;
    uint32_t guard;             /* cell of the predicate; NO_CELL without */
    uint32_t guard_flip;        /* FULL_MASK for @!p, else 0 */
    uint32_t o[5];              /* operand cells, the result first */
    uint32_t parts[VECTOR_MAX]; /* cells of a vector's elements, or of an argument list */
    uint32_t index;             /* in the module: for counters, races and findings */
    uint32_t target;            /* branches: index in the function */
    uint32_t meet;              /* branches: where the two sides meet again, or NO_PC */
    int64_t offset;             /* added to the address */
    uint32_t stride;            /* .param of a device function: bytes from lane to lane */
    uint8_t bytes;              /* of one element of an access; of one source for conversions */
    uint8_t count;              /* elements of a vector access */
    uint8_t space;              /* enum ptx_space */
    uint8_t order;              /* ORDER_… */
    uint8_t wide;               /* result cell is 8 bytes a lane */
    uint8_t wide_source;        /* (first) source cell is 8 bytes a lane */
    uint8_t is_signed;          /* narrow loads extend the sign */
    uint8_t class;              /* enum insn_class */
    uint8_t access;             /* enum access_kind */
    uint8_t type;               /* enum ptx_type_class of the data */
    uint8_t variant;            /* for handlers that serve several forms */
    uint8_t is_counted;         /* false for the engine's own (meeting points) */
    uint8_t is_barrier;         /* of a block */
    uint8_t is_harmless;        /* loads: values are only copied; shuffles: may be thrown away */
    uint8_t in_toolkit;         /* from a header of the toolkit */
    uint8_t is_unsure;          /* loads: what is done with the value may depend on a condition */
    uint8_t sets_bits;          /* loads: of a bit field, to keep the bits around it */
    uint16_t file;
    uint32_t line;
    uint32_t ptx_line;
    const char *text;                     /* "ld.global.f32": for messages */
    const struct ptx_instruction *source; /* NULL for the engine's own */
    void *extra;                          /* calls: struct call_site; unsupported: its reason */
};

/* What a frame must contain before the first instruction. */
struct frame_constant {
    uint32_t cell;
    uint8_t wide;
    uint64_t bits;
};
struct frame_special {
    uint32_t cell;
    uint8_t which; /* enum special */
    uint8_t wide;
};

struct kernel_code;

struct program {
    struct ptx_function *source;
    struct kernel_code *kernel;
    struct insn *code;
    uint32_t code_count;
    uint32_t frame_bytes;
    struct frame_constant *constants;
    uint32_t constant_count, constant_capacity;
    struct frame_special *specials;
    uint32_t special_count, special_capacity;
    uint32_t *param_cells, *param_strides; /* device functions: where a parameter's bytes live */
    uint32_t *result_cells, *result_strides;
    uint32_t local_bytes; /* per lane, of one activation */
};

/* A call: which cells go where. */
struct call_site {
    struct program *callee; /* NULL: by pointer, or a function of the system */
    const char *name;
    uint32_t pointer; /* cell of the function pointer; NO_CELL */
    uint32_t argument_count, result_count;
    uint32_t *argument_cells, *argument_strides, *argument_bytes;
    uint32_t *result_cells, *result_strides, *result_bytes;
};

/* Special registers whose value does not change while a block runs. */
enum special {
    SPECIAL_TID_X,
    SPECIAL_TID_Y,
    SPECIAL_TID_Z,
    SPECIAL_NTID_X,
    SPECIAL_NTID_Y,
    SPECIAL_NTID_Z,
    SPECIAL_CTAID_X,
    SPECIAL_CTAID_Y,
    SPECIAL_CTAID_Z,
    SPECIAL_NCTAID_X,
    SPECIAL_NCTAID_Y,
    SPECIAL_NCTAID_Z,
    SPECIAL_LANEID,
    SPECIAL_WARPID,
    SPECIAL_NWARPID,
    SPECIAL_SMID,
    SPECIAL_NSMID,
    SPECIAL_GRIDID,
    SPECIAL_LANEMASK_EQ,
    SPECIAL_LANEMASK_LE,
    SPECIAL_LANEMASK_LT,
    SPECIAL_LANEMASK_GE,
    SPECIAL_LANEMASK_GT,
    SPECIAL_ENVREG1,
    SPECIAL_ENVREG2,
    SPECIAL_DYNAMIC_SHARED,
    SPECIAL_TOTAL_SHARED,
    SPECIAL_RESERVED_SHARED,
    SPECIAL_LOCAL_BASE, /* first byte of this activation's local memory */
    SPECIAL_ZERO,
    SPECIAL_ONE
};

/* A kernel with every function it can reach, and where its shared variables lie. */
struct kernel_code {
    struct ptx_module *ptx;
    const uint64_t *addresses; /* of the module's variables, by index */
    const char *pretty_name;
    struct pool pool;
    struct program **programs; /* [0] is the kernel */
    uint32_t program_count, program_capacity;
    const struct insn **by_index;
    uint32_t index_count, index_capacity;
    struct shared_slot {
        const struct ptx_variable *variable;
        uint32_t offset;
    } * shared;
    uint32_t shared_count, shared_capacity;
    uint32_t static_shared_bytes, dynamic_shared_offset;
    struct steps *steps; /* what its instructions cost; NULL until a launch is timed */
    bool uses_calls, uses_pointers /* to functions */, uses_reserved_shared;
    char error[256]; /* why it cannot run, or "" */
};

/* What a pointer to a function holds: a number that no address looks like. */
#define FUNCTION_WINDOW ((uint64_t)0x00F4 << 48)
static inline uint64_t function_pointer(const struct ptx_function *function)
{
    return FUNCTION_WINDOW + 16 * ((uint64_t)function->index + 1);
}

#endif
