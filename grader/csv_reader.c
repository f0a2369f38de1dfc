/* Cutting lines into fields, and reading numbers as people of many countries write them. */
#include "csv_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cuts in place: a field may be quoted, and a quote in it is doubled. */
static void cut_fields(struct csv_record *record)
{
    char *from = record->text;

    record->count = 0;
    while (record->count < CSV_FIELDS_MOST) {
        const bool quoted = *from == '"';
        char *to = from + quoted, *at = to;
        record->fields[record->count++] = to;
        for (; *at && (quoted || *at != ','); at++) {
            if (quoted && *at == '"' && *++at != '"')
                break;
            *to++ = *at;
        }
        const bool last = *at != ',';
        *to = '\0';
        if (last)
            return;
        from = at + 1;
    }
}

bool next_csv_record(FILE *from, struct csv_record *record)
{
    while (fgets(record->text, sizeof record->text, from)) {
        record->text[strcspn(record->text, "\r\n")] = '\0';
        if (record->text[0] != '"')
            continue; /* "==PROF== Connected to process …" */
        cut_fields(record);
        return true;
    }
    return false;
}

const char *csv_field(const struct csv_record *record, size_t index)
{
    return index < record->count ? record->fields[index] : "";
}

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t count_of(const char *text, char what)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == what;
    return count;
}

/* "1,234,567.8", and what other languages make of it: the separator that comes last is the decimal
 * point if it occurs once and is not followed by a group of three, or if it is the dot. */
static char decimal_point(const char *text)
{
    const char *comma = strrchr(text, ','), *dot = strrchr(text, '.');

    if (comma && dot)
        return comma > dot ? ',' : '.';
    if (comma)
        return count_of(text, ',') == 1 && strlen(comma + 1) != 3 ? ',' : '\0';
    return dot && count_of(text, '.') == 1 ? '.' : '\0';
}

bool read_csv_number(const char *text, double *number)
{
    const char point = decimal_point(text);
    char plain[64], *end;
    size_t length = 0;

    for (; *text && length + 1 < sizeof plain; text++) {
        if (point && *text == point)
            plain[length++] = '.';
        else if (*text != ',' && *text != '.' && *text != ' ' && *text != '\'')
            plain[length++] = *text;
    }
    plain[length] = '\0';
    *number = strtod(plain, &end);
    return length > 0 && *end == '\0' && isfinite(*number);
}
