/* Mangled C++ names as a student wrote them. */
#ifndef VIRTUAL_GPU_PRETTY_H
#define VIRTUAL_GPU_PRETTY_H

#include <stddef.h>

/* "_Z5tiledILi16EEvPKfS1_Pfi" → "tiled<16>", without parameters and return type. */
void pretty_function(const char *mangled, char *text, size_t size);

/* "_ZZ5tiledILi16EEvPKfS1_PfiE2ta" → "ta": the variable alone. */
void pretty_variable(const char *mangled, char *text, size_t size);

#endif
