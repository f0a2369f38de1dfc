/* Numbers and paragraphs as people read them. */
#include "text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST_COLUMNS = 80, FEWEST_COLUMNS = 40, FIELD_INDENT = 11 };

int text_columns(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0 || size.ws_col > MOST_COLUMNS)
        return MOST_COLUMNS;
    return size.ws_col < FEWEST_COLUMNS ? FEWEST_COLUMNS : size.ws_col;
}

char *text_count(char *text, size_t count)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%zu", count);
    char *out = text;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

/* Three significant digits, so that 4.12 ms and 0.245 ms can be compared at a glance. */
static const char *three_digits(double value)
{
    return value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s";
}

char *text_duration(char *text, double ns)
{
    const char *units[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;

    while (ns >= 999.5 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    snprintf(text, NUMBER_TEXT_BYTES, three_digits(ns), ns, units[unit]);
    return text;
}

char *text_bandwidth(char *text, double gb_s)
{
    char count[NUMBER_TEXT_BYTES];

    if (gb_s < 99.95)
        snprintf(text, NUMBER_TEXT_BYTES, three_digits(gb_s), gb_s, "GB/s");
    else
        snprintf(text, NUMBER_TEXT_BYTES, "%.20s GB/s", text_count(count, (size_t)(gb_s + 0.5)));
    return text;
}

size_t text_utf8_length(const char *text)
{
    static const struct {
        unsigned char mask, lead;
        unsigned minimum; /* below it the sequence is longer than needed */
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *byte = (const unsigned char *)text;

    for (size_t length = 1; length <= 4; length++) {
        if ((byte[0] & forms[length - 1].mask) != forms[length - 1].lead)
            continue;
        unsigned code = byte[0] & (unsigned char)~forms[length - 1].mask;
        for (size_t i = 1; i < length; i++) {
            if ((byte[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (byte[i] & 0x3f);
        }
        int surrogate = code >= 0xd800 && code <= 0xdfff;
        return code >= forms[length - 1].minimum && code <= 0x10ffff && !surrogate ? length : 0;
    }
    return 0;
}

/* Bytes of the first character if a terminal may have it, else 0. */
static size_t harmless_bytes(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const bool c1 = byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0; /* U+0080 to U+009F */

    if ((byte[0] < 0x20 && byte[0] != '\t') || byte[0] == 0x7f || c1)
        return 0;
    return text_utf8_length(text);
}

void print_harmless(const char *text, size_t bytes)
{
    for (const char *end = text + bytes; text < end;) {
        const size_t length = harmless_bytes(text);
        printf("%.*s", length ? (int)length : 1, length ? text : ".");
        text += length ? length : 1;
    }
}

/* Columns of a word: one for each character, or dot in the place of a byte. */
static int columns_of(const char *word, size_t bytes)
{
    int columns = 0;
    for (const char *end = word + bytes; word < end; columns++) {
        const size_t length = harmless_bytes(word);
        word += length ? length : 1;
    }
    return columns;
}

/* Wraps the words of one line; runs of blanks within it are layout, and stay. */
static void print_line(const char *text, size_t length, int indent)
{
    const int columns = text_columns();
    const char *end = text + length;
    int column = indent;
    bool first = true;

    while (text < end) {
        const size_t left = (size_t)(end - text), word = strcspn(text, " \n");
        const size_t bytes = word < left ? word : left;
        const int width = columns_of(text, bytes);
        if (!first && column + 1 + width > columns) {
            printf("\n%*s", indent, "");
            column = indent;
            first = true;
        }
        if (!first)
            putchar(' ');
        print_harmless(text, bytes);
        column += width + !first;
        first = false;
        text += bytes;
        const size_t blanks = strspn(text, " ");
        if (blanks > 1 && column + (int)blanks < columns) {
            printf("%*s", (int)blanks - 1, "");
            column += (int)blanks - 1;
        }
        text += blanks;
    }
    printf("\n");
}

static void print_wrapped(const char *text, int indent)
{
    for (bool first = true; first || *text; first = false) {
        const size_t length = strcspn(text, "\n");
        if (!first)
            printf("%*s", indent, "");
        print_line(text, length, indent);
        text += length + (text[length] == '\n');
    }
}

void print_field(const char *label, const char *text)
{
    if (!text || !*text)
        return;
    printf("  %-*s", FIELD_INDENT - 2, label);
    print_wrapped(text, FIELD_INDENT);
}

void print_paragraph(const char *text)
{
    print_wrapped(text, 0);
}
