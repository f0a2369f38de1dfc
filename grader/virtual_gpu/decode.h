/* PTX functions → programs.  decode.c knows operands and tables; decode_forms.c the instructions
 * whose shape depends on their modifiers; cfg.c where diverged lanes meet again. */
#ifndef VIRTUAL_GPU_DECODE_H
#define VIRTUAL_GPU_DECODE_H

#include "exec.h"

/* Decodes a kernel and every function it can reach.
 *   addresses  of the module's variables, by ptx_variable.index
 * Never fails: an instruction that is not known decodes to one that stops the launch when it is
 * executed. */
struct kernel_code *decode_kernel(
    struct ptx_module *ptx, struct ptx_function *entry, const uint64_t *addresses);
void decode_free(struct kernel_code *code);

/* Shared variables of a kernel and what it calls: bytes before dynamic shared memory. */
uint32_t decode_static_shared(struct ptx_function *entry);

/* ---- between the decode files ---------------------------------------------------------------- */

struct decoder {
    struct kernel_code *kernel;
    struct program *program;
    struct ptx_function *function;
    const struct ptx_instruction *source; /* being decoded */
    struct insn *insn;                    /* being filled */
    uint32_t *register_cells;
    uint32_t *variable_offsets;            /* local variables: in the activation's local memory */
    uint32_t *param_cells, *param_strides; /* .param variables declared inside, by index */
    char problem[160];                     /* why the instruction is not understood, or "" */
};

/* Decodes one opcode; returns false when the form is not known (d->problem may say why). */
typedef bool decode_form(struct decoder *d);
struct decode_form_row {
    const char *opcode;
    decode_form *decode;
};
extern const struct decode_form_row decode_forms[]; /* ends with a NULL opcode */

/* The cell of an operand; `kind` as in exec_row.operands.  NO_CELL and d->problem on mismatch. */
uint32_t decode_operand(struct decoder *d, const struct ptx_operand *operand, char kind);

/* A cell that holds the bits in every lane. */
uint32_t decode_constant(struct decoder *d, uint64_t bits, bool wide);
uint32_t decode_special(struct decoder *d, enum special which, bool wide);

/* Cell of an address operand; fills insn->offset and insn->wide_source. The space may be narrowed
 * by what is addressed. */
bool decode_address(struct decoder *d, const struct ptx_operand *operand, enum ptx_space *space);

/* A fresh cell that no register owns. */
uint32_t decode_scratch(struct decoder *d, uint32_t bytes);

bool decode_is_wide(const struct decoder *d, const struct ptx_operand *operand);
bool decode_has(const struct decoder *d, const char *modifier);

/* cvt from one type to another; see exec_convert.c. */
bool convert_decode(struct decoder *d, struct ptx_type to, struct ptx_type from);

/* The program of a function, decoded when first asked for. NULL for functions without a body. */
struct program *decode_function(struct kernel_code *kernel, struct ptx_function *function);

/* ---- cfg.c ----------------------------------------------------------------------------------- */

/* For every instruction of the function that can diverge: the index of the instruction where its
 * lanes meet again, else NO_PC. */
void cfg_meeting_points(const struct ptx_function *function, uint32_t *meets);

/* ---- uses.c ---------------------------------------------------------------------------------- */

/* What a function does with its registers. */
struct uses {
    bool *matters;     /* by register: its value is used for more than storing and moving it */
    uint32_t *readers; /* by register: instructions that read it */
};
void uses_find(const struct ptx_function *function, struct uses *uses);
void uses_free(struct uses *uses);
/* A load whose values are only stored again. */
bool uses_only_copies(const struct ptx_instruction *load, const struct uses *uses);
/* A load that sets a bit field: the other bits go back to where they came from. */
bool uses_set_bits(const struct ptx_function *function, uint32_t pc, const struct uses *uses);
/* Is the result of a shuffle or load used whatever happens, as far as the next branch? */
bool uses_result_soon(const struct ptx_function *function, uint32_t pc);

/* ---- flow.c: instructions that change the flow ----------------------------------------------- */

insn_flow flow_branch, flow_meet, flow_exit, flow_return, flow_call, flow_trap, flow_unsupported;
insn_flow flow_barrier, flow_barrier_arrive, flow_collective;
insn_handler exec_shuffle, exec_vote, exec_match, exec_redux, exec_warp_sync, exec_activemask;
insn_handler exec_fence, exec_nothing;

#endif
