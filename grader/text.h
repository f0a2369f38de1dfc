/* Numbers and paragraphs as people read them. */
#ifndef GRADER_TEXT_H
#define GRADER_TEXT_H

#include <stddef.h>

enum { NUMBER_TEXT_BYTES = 32 };

/* Each writes into `text`, which holds NUMBER_TEXT_BYTES, and returns it. */
char *text_count(char *text, size_t count);    /* 1000003 -> "1,000,003" */
char *text_duration(char *text, double ns);    /* "245 µs", "4.12 ms" */
char *text_bandwidth(char *text, double gb_s); /* "4,384 GB/s" */

/* 80, or what a narrower terminal has; a file always has 80. */
int text_columns(void);

/* Prints label and text, wrapped at text_columns(), continuation lines under the text:
 *   "  likely   The right halo of the tile is not loaded,"
 *   "           or by too few threads."
 * A line break in the text begins a new line there. Prints nothing for an empty text. */
void print_field(const char *label, const char *text);

/* The same without a label and with this indent. */
void print_paragraph(const char *text);

#endif
