/* Prints what every instruction does to every input, one row a line:
 *     mnemonic<TAB>operands in hex<TAB>results in hex
 *
 * After the rows of an instruction comes a digest over all its inputs, of which only the first are
 * printed:
 *     mnemonic<TAB>digest of 2560<TAB>0123456789abcdef
 * `instructions MNEMONIC` prints every input of one instruction; `instructions -all N` the results
 * of the first N inputs of every instruction, one line each.
 *
 * The same program runs on a GPU, where h200.tsv was recorded, and on the virtual GPU. */
#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

static struct instruction *first_instruction, **last_instruction = &first_instruction;

enter_instruction::enter_instruction(struct instruction *instruction)
{
    *last_instruction = instruction;
    last_instruction = &instruction->next;
}

static int failed_cases;

/* What the command line asks for. */
static const char *only_name;   /* NULL: all */
static uint32_t results_wanted; /* 0: rows with operands */

static void check(cudaError_t error, const char *name)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "instructions: %s: %s\n", name, cudaGetErrorString(error));
    exit(1);
}

/* ---- device memory: once, for the largest case ----------------------------------------------- */

static uint64_t *device_in, *device_out;
static uint8_t *device_slots;
enum { ROWS_MAX = 70000 };

static void allocate(void)
{
    check(cudaMalloc(&device_in, ROWS_MAX * OPERANDS * sizeof *device_in), "memory");
    check(cudaMalloc(&device_out, ROWS_MAX * RESULTS * sizeof *device_out), "memory");
    check(cudaMalloc(&device_slots, (size_t)ROWS_MAX * SLOT_BYTES), "memory");
}

/* Says that a case failed and starts over: an illegal address ends everything on the device. */
static bool fail(const char *name, cudaError_t error)
{
    fprintf(stderr, "instructions: %s: %s\n", name, cudaGetErrorString(error));
    failed_cases++;
    cudaDeviceReset();
    allocate();
    return false;
}

/* Runs the kernel on `rows` rows of operands and brings the results back; false if it fails. */
static bool run(const struct instruction *instruction, uint32_t rows, uint32_t threads,
    uint32_t mask, const uint64_t *in, uint64_t *out)
{
    uint32_t blocks = (rows + threads - 1) / threads;
    cudaMemset(device_slots, 0, (size_t)rows * SLOT_BYTES);
    cudaMemset(device_out, 0, rows * RESULTS * sizeof *out);
    cudaMemcpy(device_in, in, rows * OPERANDS * sizeof *in, cudaMemcpyHostToDevice);
    instruction->kernel<<<blocks, threads>>>(device_in, device_out, rows, device_slots, mask);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(out, device_out, rows * RESULTS * sizeof *out, cudaMemcpyDeviceToHost);
    return error == cudaSuccess || fail(instruction->name, error);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_value(enum values kind, uint64_t value)
{
    uint32_t bits = values_bits(kind);
    printf("%0*llx", bits < 8 ? 1 : (int)bits / 4, (unsigned long long)value);
}

/* The values of several kinds, separated by a blank; "-" when there is none. */
static void print_values(const enum values kinds[], const uint64_t *values, int count)
{
    if (kinds[0] == VALUES_none)
        putchar('-');
    for (int k = 0; k < count; k++) {
        if (kinds[k] == VALUES_none)
            continue;
        if (k > 0)
            putchar(' ');
        print_value(kinds[k], values[k]);
    }
}

static void print_results(const struct instruction *instruction, const uint64_t *values)
{
    print_values(instruction->results, values, RESULTS);
}

/* FNV-1a over the bytes of the results. */
static uint64_t digest(const uint64_t *values, size_t count)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        for (int byte = 0; byte < 8; byte++)
            hash = (hash ^ (values[i] >> 8 * byte & 0xFF)) * 1099511628211u;
    return hash;
}

/* ---- instructions that work thread by thread ------------------------------------------------- */

/* How many rows are printed: edges of one operand, a selection of the combinations of several. */
static uint32_t printed_rows(const struct instruction *instruction, uint32_t rows)
{
    enum { APPROXIMATE_ROWS = 128, UNARY_ROWS = 27, OTHER_ROWS = 14, MEMORY_ROWS = 6 };
    if (only_name != NULL)
        return rows;
    if (instruction->is_approximate)
        return rows < APPROXIMATE_ROWS ? rows : APPROXIMATE_ROWS;
    uint32_t edges = values_edge_rows(instruction->operands);
    uint32_t wanted = instruction->uses_memory                  ? MEMORY_ROWS
                      : instruction->operands[1] == VALUES_none ? UNARY_ROWS
                                                                : OTHER_ROWS;
    return edges < wanted ? edges : wanted;
}

/* The results alone, on one line. */
static void print_results_only(
    const struct instruction *instruction, uint32_t rows, const uint64_t *out)
{
    printf("%s\t", instruction->name);
    for (uint32_t row = 0; row < rows && row < results_wanted; row++) {
        if (row > 0)
            putchar(',');
        print_results(instruction, out + RESULTS * row);
    }
    putchar('\n');
}

static void print_rows(
    const struct instruction *instruction, uint32_t rows, const uint64_t *in, const uint64_t *out)
{
    uint32_t printed = printed_rows(instruction, rows);
    for (uint32_t row = 0; row < printed; row++) {
        printf("%s\t", instruction->name);
        print_values(instruction->operands, in + OPERANDS * row, OPERANDS);
        putchar('\t');
        print_results(instruction, out + RESULTS * row);
        putchar('\n');
    }
    if (printed < rows && !instruction->is_approximate)
        printf("%s\tdigest of %u\t%016llx\n", instruction->name, rows,
            (unsigned long long)digest(out, (size_t)rows * RESULTS));
}

static void run_rows(const struct instruction *instruction)
{
    uint32_t rows = values_rows(instruction->operands);
    uint64_t *in = (uint64_t *)malloc(rows * OPERANDS * sizeof *in);
    uint64_t *out = (uint64_t *)malloc(rows * RESULTS * sizeof *out);
    for (uint32_t row = 0; row < rows; row++)
        values_row(instruction->operands, row, in + OPERANDS * row);
    if (!run(instruction, rows, THREADS_PER_BLOCK, 0, in, out))
        ;
    else if (results_wanted != 0)
        print_results_only(instruction, rows, out);
    else
        print_rows(instruction, rows, in, out);
    free(in);
    free(out);
}

/* ---- instructions that lanes execute together ------------------------------------------------ */

static bool takes_part(uint32_t mask, uint32_t thread)
{
    return (mask >> (thread & 31) & 1) != 0;
}

/* One value when all threads of the mask have the same. Else predicates are a number with a bit for
 * each thread, and other values one each: "." for threads that take no part. */
static void print_column(
    enum values kind, const uint64_t *column, uint32_t stride, uint32_t threads, uint32_t mask)
{
    uint32_t first = 0;
    while (!takes_part(mask, first))
        first++;
    bool equal = true;
    uint64_t bits = 0;
    for (uint32_t t = 0; t < threads; t++) {
        equal = equal && (!takes_part(mask, t) || column[stride * t] == column[stride * first]);
        bits |= takes_part(mask, t) ? column[stride * t] << t : 0;
    }
    if (equal) {
        print_value(kind, column[stride * first]);
        return;
    }
    if (values_bits(kind) == 1) {
        printf("%0*llx", (int)threads / 4, (unsigned long long)bits);
        return;
    }
    for (uint32_t t = 0; t < threads; t++) {
        if (t > 0)
            putchar(',');
        if (takes_part(mask, t))
            printf("%llx", (unsigned long long)column[stride * t]);
        else
            putchar('.');
    }
}

void run_collective(
    const struct instruction *instruction, uint32_t threads, uint32_t mask, const uint64_t *in)
{
    uint64_t out[RESULTS * THREADS_PER_BLOCK];
    if (!run(instruction, threads, threads, mask, in, out))
        return;
    printf("%s\tmask %08x", instruction->name, mask);
    for (int k = 0; k < OPERANDS; k++) {
        if (instruction->operands[k] == VALUES_none)
            continue;
        putchar(' ');
        print_column(instruction->operands[k], in + k, OPERANDS, threads, mask);
    }
    for (int k = 0; k < RESULTS && instruction->results[k] != VALUES_none; k++) {
        putchar(k == 0 ? '\t' : ' ');
        print_column(instruction->results[k], out + k, RESULTS, threads, mask);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "-all") == 0)
        results_wanted = (uint32_t)atoi(argv[2]);
    else if (argc == 2)
        only_name = argv[1];
    allocate();
    for (const struct instruction *i = first_instruction; i != NULL; i = i->next) {
        if (only_name != NULL && strcmp(only_name, i->name) != 0)
            continue;
        if (i->inputs == NULL)
            run_rows(i);
        else if (results_wanted == 0)
            i->inputs(i);
        fflush(stdout);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFree(device_slots);
    return fflush(stdout) == 0 && failed_cases == 0 ? 0 : 1;
}
