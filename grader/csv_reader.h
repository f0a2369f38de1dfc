/* Reading comma-separated values whose fields stand in quotes. */
#ifndef GRADER_CSV_READER_H
#define GRADER_CSV_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CSV_FIELDS_MOST = 64, CSV_RECORD_BYTES = 8192 };

/* One line, cut into its fields. */
struct csv_record {
    char text[CSV_RECORD_BYTES];
    char *fields[CSV_FIELDS_MOST];
    size_t count;
};

/* The next line that begins with a quote; others are passed over. False: there is none. */
bool next_csv_record(FILE *from, struct csv_record *record);

/* The field, "" if the record has fewer. */
const char *csv_field(const struct csv_record *record, size_t index);

/* "1,234,567.8", and what other languages make of it. False for "n/a", "nan", "" and the like. */
bool read_csv_number(const char *text, double *number);

#endif
