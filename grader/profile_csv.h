/* Raw counters as comma-separated values, for a spreadsheet. */
#ifndef GRADER_PROFILE_CSV_H
#define GRADER_PROFILE_CSV_H

#include <stdio.h>

#include "profile.h"

/* With quotes where there must be some. */
void write_csv_text(FILE *csv, const char *text);

/* The names of the columns; then a row for each kernel and launch shape, and for each line. */
void write_counts_header(FILE *csv);
void write_counts(FILE *csv, const struct profile *profile);

#endif
