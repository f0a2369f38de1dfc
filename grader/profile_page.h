/* What a profile is printed on: a terminal of any width, or a file of 80 columns. Text is wrapped,
 * source code is cut, and nothing is ever wider than the page. */
#ifndef GRADER_PROFILE_PAGE_H
#define GRADER_PROFILE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct page {
    FILE *to;
    int columns;
    bool bold; /* headings */
};

/* COLUMNS if it is set, else the terminal's width, else 80. */
struct page page_of_stdout(void);
struct page page_of_file(FILE *to);

void page_gap(const struct page *page);
void page_heading(const struct page *page, int indent, const char *text);
void page_text(const struct page *page, int indent, const char *text);
void page_item(const struct page *page, int indent, const char *text); /* further lines hang */

/* A row of the table: name, value, what the value means. Without a value (NULL) the reading takes
 * its place. On a page of fewer than 80 columns a pair, with the reading below. Prints nothing
 * where there is neither. */
void page_row(const struct page *page, const char *name, const char *value, const char *reading);

/* One line of source code, without its indentation, cut at the edge of the page. */
void page_code(const struct page *page, int indent, const char *code);

/* "16.8 MB", in a text of NUMBER_TEXT_BYTES. */
char *text_bytes(char *text, double bytes);

#endif
