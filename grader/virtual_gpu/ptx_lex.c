/* See ptx_lex.h. */
#include "ptx_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int is_word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static int is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* "ld.global.u32" and "shared::cta" are one word; ".reg.b32", which starts with a dot, is two. */
static int continues_word(const char *at, char first)
{
    if (*at == '.' && first == '.')
        return 0;
    return is_word_part(*at) || (at[0] == ':' && at[1] == ':');
}

static void skip_blanks(struct lexer *lexer)
{
    for (;;) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->line++;
            lexer->at++;
        } else if (c != '\0' && isspace((unsigned char)c)) {
            lexer->at++;
        } else if (c == '/' && lexer->at[1] == '/') {
            lexer->at += strcspn(lexer->at, "\n");
        } else if (c == '/' && lexer->at[1] == '*') {
            lexer->at += 2;
            while (*lexer->at != '\0' && !(lexer->at[0] == '*' && lexer->at[1] == '/'))
                lexer->line += *lexer->at++ == '\n';
            if (*lexer->at != '\0')
                lexer->at += 2;
        } else {
            return;
        }
    }
}

/* 0f and 0d literals are the bits of the number in hexadecimal. */
static int bit_literal(struct lexer *lexer, struct token *token)
{
    const char *at = lexer->at;
    int digits = at[0] != '0'                     ? 0
                 : (at[1] == 'f' || at[1] == 'F') ? 8
                 : (at[1] == 'd' || at[1] == 'D') ? 16
                                                  : 0;
    if (digits == 0)
        return 0;
    uint64_t bits = 0;
    for (int i = 0; i < digits; i++) {
        char c = at[2 + i];
        if (!isxdigit((unsigned char)c))
            return 0;
        bits = bits * 16 + (uint64_t)(isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10);
    }
    token->kind = digits == 8 ? TOKEN_FLOAT32 : TOKEN_FLOAT64;
    token->bits = bits;
    lexer->at += 2 + digits;
    return 1;
}

static void number(struct lexer *lexer, struct token *token)
{
    if (bit_literal(lexer, token))
        return;
    const char *at = lexer->at;
    char *end;
    if (at[0] == '0' && (at[1] == 'b' || at[1] == 'B'))
        token->bits = strtoull(at + 2, &end, 2);
    else
        token->bits = strtoull(at, &end, 0);
    token->kind = TOKEN_INTEGER;
    if (*end == '.' || *end == 'e' || *end == 'E') {
        double value = strtod(at, &end);
        memcpy(&token->bits, &value, sizeof value);
        token->kind = TOKEN_FLOAT64;
    }
    if (*end == 'U')
        end++;
    if (end == at)
        end++;
    lexer->at = end;
}

static void string(struct lexer *lexer, struct token *token)
{
    const char *start = ++lexer->at;
    while (*lexer->at != '\0' && *lexer->at != '"' && *lexer->at != '\n') {
        if (*lexer->at == '\\' && lexer->at[1] != '\0')
            lexer->at++;
        lexer->at++;
    }
    token->kind = *lexer->at == '"' ? TOKEN_STRING : TOKEN_BAD;
    token->text = start;
    token->length = (size_t)(lexer->at - start);
    if (*lexer->at == '"')
        lexer->at++;
}

struct token lexer_next(struct lexer *lexer)
{
    skip_blanks(lexer);
    struct token token = {.text = lexer->at, .line = lexer->line};
    char c = *lexer->at;
    if (c == '\0') {
        token.kind = TOKEN_END;
    } else if (is_word_start(c)) {
        token.kind = TOKEN_WORD;
        lexer->at++;
        while (continues_word(lexer->at, c))
            lexer->at += *lexer->at == ':' ? 2 : 1;
        token.length = (size_t)(lexer->at - token.text);
    } else if (isdigit((unsigned char)c)) {
        number(lexer, &token);
        token.length = (size_t)(lexer->at - token.text);
    } else if (c == '"') {
        string(lexer, &token);
    } else {
        token.kind = TOKEN_PUNCTUATION;
        token.punctuation = c;
        token.length = 1;
        lexer->at++;
    }
    return token;
}
