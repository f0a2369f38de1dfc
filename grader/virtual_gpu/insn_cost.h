/* What an instruction of PTX costs an SM: the table behind kernel_time.c. */
#ifndef VIRTUAL_GPU_INSN_COST_H
#define VIRTUAL_GPU_INSN_COST_H

#include "program.h"

/* Units of an SM that work side by side. */
enum pipe { PIPE_NONE, PIPE_FMA, PIPE_INTEGER, PIPE_SPECIAL, PIPE_DOUBLE, PIPE_COUNT };

enum step_kind {
    STEP_PLAIN,
    STEP_LOAD,
    STEP_STORE,
    STEP_ATOMIC,
    STEP_SHUFFLE,
    STEP_COPY, /* cp.async */
    STEP_COPY_WAIT,
    STEP_BARRIER,
    STEP_FLOW, /* ends a stretch of instructions that the compiler may reorder */
};

/* One instruction, as it is timed. Registers are numbered through all functions of a kernel. */
struct step {
    uint8_t kind, pipe;
    bool bypasses_l1, may_pass_stores, is_shared; /* of memory: which, and may it be reordered */
    bool is_unrolled_loop; /* a branch back, whose loop the compiler unrolls */
    float issue;           /* slots of a scheduler */
    float cycles;          /* of the pipe in a quarter of the SM */
    float latency;         /* cycles until the result can be used; loads: kernel_time.c knows */
    uint16_t source_count, result_count;
    uint32_t first; /* in registers: results, then sources */
};

struct steps {
    struct step *step; /* by insn.index */
    uint32_t *registers;
    uint32_t register_count; /* of the kernel's functions together */
    uint32_t used, capacity;
};

/* Of a kernel and all it calls; for kernel_code.steps. */
struct steps *steps_make(const struct kernel_code *kernel);
void steps_free(struct steps *steps);

#endif
