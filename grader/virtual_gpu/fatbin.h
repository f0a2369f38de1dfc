/* The fat binary that nvcc embeds: where the PTX is, and how many registers ptxas used. */
#ifndef VIRTUAL_GPU_FATBIN_H
#define VIRTUAL_GPU_FATBIN_H

#include <stddef.h>
#include <stdint.h>

/* A copy of the PTX text with the highest target not above compute_90, to be freed; NULL with a
 * sentence in `error`. */
char *fatbin_ptx(const void *data, char *error, size_t error_size);

/* Registers a thread of the kernel uses, from the machine code in the fat binary; 0 if unknown. */
uint32_t fatbin_registers(const void *data, const char *kernel);

#endif
