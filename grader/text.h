/* Numbers and paragraphs as people read them. */
#ifndef GRADER_TEXT_H
#define GRADER_TEXT_H

#include <stddef.h>

enum { NUMBER_TEXT_BYTES = 32 };

/* Each writes into `text`, which holds NUMBER_TEXT_BYTES, and returns it. */
char *text_count(char *text, size_t count);    /* 1000003 -> "1,000,003" */
char *text_duration(char *text, double ns);    /* "245 µs", "4.12 ms" */
char *text_bandwidth(char *text, double gb_s); /* "4,384 GB/s" */

/* Length of the UTF-8 sequence at text, or 0 if it is none. */
size_t text_utf8_length(const char *text);

/* 80, or what a narrower terminal has; a file always has 80. */
int text_columns(void);

/* Prints these bytes of the text, the last character whole. What a terminal would obey (a line of a
 * candidate could erase the verdict and draw another), and what is no UTF-8, becomes dots. */
void print_harmless(const char *text, size_t bytes);

/* Prints label and text, wrapped at text_columns(), continuation lines under the text:
 *   "  likely   The right halo of the tile is not loaded,"
 *   "           or by too few threads."
 * A line break in the text begins a new line there. Prints nothing for an empty text. What it
 * prints is harmless, as in print_harmless(). */
void print_field(const char *label, const char *text);

/* The same without a label and with this indent. */
void print_paragraph(const char *text);

#endif
