/* Control flow of a function: where do lanes that part at a branch meet again?
 *
 * At the immediate post-dominator, the first instruction that every path from the branch to the
 * end passes.  A block that only returns is no such place: lanes that left early would wait there
 * while the others stand at a barrier.
 */
#include <stdlib.h>
#include <string.h>

#include "decode.h"

struct graph {
    const struct ptx_function *function;
    uint32_t *block_of;        /* by instruction */
    uint32_t *first;           /* by block; first[count] = number of instructions */
    uint32_t count;            /* the virtual exit is block number `count` */
    uint32_t (*successors)[2]; /* NO_PC where there is none */
    uint32_t *order;           /* reverse post-order of the reversed graph: rank by block */
    uint32_t *by_rank;
    uint32_t reached;
    uint32_t *dominator; /* immediate post-dominator, NO_PC when unknown */
};

static bool is_opcode(const struct ptx_instruction *i, const char *opcode)
{
    return strcmp(i->opcode, opcode) == 0;
}

static bool leaves(const struct ptx_instruction *i)
{
    return is_opcode(i, "ret") || is_opcode(i, "exit") || is_opcode(i, "trap");
}

static bool ends_block(const struct ptx_instruction *i)
{
    return is_opcode(i, "bra") || leaves(i);
}

static uint32_t branch_target(const struct ptx_instruction *i)
{
    if (!is_opcode(i, "bra") || i->operand_count == 0 || i->operands[0].kind != OPERAND_LABEL)
        return NO_PC;
    return i->operands[0].target;
}

static void find_blocks(struct graph *g)
{
    const struct ptx_function *f = g->function;
    bool *starts = calloc(f->code_count + 1, sizeof *starts);
    starts[0] = true;
    for (uint32_t pc = 0; pc < f->code_count; pc++) {
        uint32_t target = branch_target(&f->code[pc]);
        if (target != NO_PC && target <= f->code_count)
            starts[target] = true;
        if (ends_block(&f->code[pc]))
            starts[pc + 1] = true;
    }
    g->block_of = calloc(f->code_count + 1, sizeof *g->block_of);
    g->first = calloc(f->code_count + 2, sizeof *g->first);
    for (uint32_t pc = 0; pc < f->code_count; pc++) {
        if (starts[pc])
            g->first[g->count++] = pc;
        g->block_of[pc] = g->count - 1;
    }
    g->block_of[f->code_count] = g->count; /* falling off the end leaves */
    g->first[g->count] = f->code_count;
    free(starts);
}

static void find_successors(struct graph *g)
{
    g->successors = calloc(g->count + 1, sizeof *g->successors);
    for (uint32_t b = 0; b < g->count; b++) {
        const struct ptx_instruction *last = &g->function->code[g->first[b + 1] - 1];
        uint32_t target = branch_target(last);
        uint32_t jump = leaves(last) || target == NO_PC ? g->count : g->block_of[target];
        bool falls = !ends_block(last) || last->has_guard;
        g->successors[b][0] = falls ? b + 1 : jump;
        g->successors[b][1] = falls && ends_block(last) ? jump : NO_PC;
    }
    g->successors[g->count][0] = g->successors[g->count][1] = NO_PC;
}

/* Depth-first walk from the exit against the edges. */
static void rank_blocks(struct graph *g)
{
    uint32_t n = g->count + 1, edges = 0;
    uint32_t *head = malloc(n * sizeof *head), *next = malloc(2 * n * sizeof *next),
             *from = malloc(2 * n * sizeof *from), *stack = malloc(n * sizeof *stack),
             *cursor = malloc(n * sizeof *cursor);
    bool *seen = calloc(n, sizeof *seen);
    memset(head, 0xFF, n * sizeof *head);
    for (uint32_t b = 0; b < g->count; b++)
        for (int s = 0; s < 2; s++)
            if (g->successors[b][s] != NO_PC) {
                from[edges] = b;
                next[edges] = head[g->successors[b][s]];
                head[g->successors[b][s]] = edges++;
            }
    g->order = malloc(n * sizeof *g->order);
    g->by_rank = malloc(n * sizeof *g->by_rank);
    memset(g->order, 0xFF, n * sizeof *g->order);
    memcpy(cursor, head, n * sizeof *cursor);
    uint32_t depth = 0, finished = 0;
    stack[depth++] = g->count;
    seen[g->count] = true;
    while (depth > 0) {
        uint32_t b = stack[depth - 1], edge = cursor[b];
        if (edge == NO_PC) {
            g->by_rank[n - 1 - finished++] = b;
            depth--;
            continue;
        }
        cursor[b] = next[edge];
        if (!seen[from[edge]]) {
            seen[from[edge]] = true;
            stack[depth++] = from[edge];
        }
    }
    g->reached = finished;
    for (uint32_t r = 0; r < finished; r++) {
        g->by_rank[r] = g->by_rank[n - finished + r];
        g->order[g->by_rank[r]] = r;
    }
    free(head);
    free(next);
    free(from);
    free(stack);
    free(cursor);
    free(seen);
}

static uint32_t common(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->order[a] > g->order[b])
            a = g->dominator[a];
        while (g->order[b] > g->order[a])
            b = g->dominator[b];
    }
    return a;
}

/* The iterative algorithm of Cooper, Harvey and Kennedy on the reversed graph. */
static void find_dominators(struct graph *g)
{
    uint32_t n = g->count + 1;
    g->dominator = malloc(n * sizeof *g->dominator);
    memset(g->dominator, 0xFF, n * sizeof *g->dominator);
    g->dominator[g->count] = g->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 1; r < g->reached; r++) {
            uint32_t b = g->by_rank[r], best = NO_PC;
            for (int s = 0; s < 2; s++) {
                uint32_t successor = g->successors[b][s];
                if (successor == NO_PC || g->dominator[successor] == NO_PC)
                    continue;
                best = best == NO_PC ? successor : common(g, best, successor);
            }
            if (best != g->dominator[b]) {
                g->dominator[b] = best;
                changed = true;
            }
        }
    }
}

static bool only_leaves(const struct graph *g, uint32_t block)
{
    return block == g->count || leaves(&g->function->code[g->first[block]]);
}

void cfg_meeting_points(const struct ptx_function *function, uint32_t *meets)
{
    memset(meets, 0xFF, function->code_count * sizeof *meets);
    if (function->code_count == 0)
        return;
    struct graph g = {.function = function};
    find_blocks(&g);
    find_successors(&g);
    rank_blocks(&g);
    find_dominators(&g);
    for (uint32_t b = 0; b < g.count; b++) {
        uint32_t last = g.first[b + 1] - 1, dominator = g.dominator[b];
        if (g.successors[b][1] != NO_PC && dominator != NO_PC && !only_leaves(&g, dominator))
            meets[last] = g.first[dominator];
    }
    free(g.block_of);
    free(g.first);
    free(g.successors);
    free(g.order);
    free(g.by_rank);
    free(g.dominator);
}
