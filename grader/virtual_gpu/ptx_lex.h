/* PTX tokens.  A word keeps its dotted parts ("ld.global.u32", "%tid.x", ".reg"), because the
 * grammar never needs them apart. */
#ifndef VIRTUAL_GPU_PTX_LEX_H
#define VIRTUAL_GPU_PTX_LEX_H

#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_INTEGER, /* bits */
    TOKEN_FLOAT32, /* 0f3F800000 */
    TOKEN_FLOAT64, /* 0d…, and decimal fractions */
    TOKEN_STRING,  /* text without the quotes */
    TOKEN_PUNCTUATION,
    TOKEN_BAD,
};

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint64_t bits;
    uint32_t line;
    char punctuation;
};

struct lexer {
    const char *at;
    uint32_t line;
};

struct token lexer_next(struct lexer *lexer);

#endif
