/* Wrapping, folding and cutting. */
#include "profile_page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text.h"

enum {
    USUAL_COLUMNS = 80,
    FEWEST_COLUMNS = 20, /* narrower terminals get lines of 20 */
    MOST_COLUMNS = 100,  /* longer lines are hard to read */
    ROW_INDENT = 2,
    NAME_WIDTH = 12,
    VALUE_WIDTH = 24,
    FOLDED_INDENT = 4,
};

struct page page_of_stdout(void)
{
    const char *columns = getenv("COLUMNS"), *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    const bool terminal = isatty(STDOUT_FILENO);
    struct page page = {.to = stdout, .columns = columns ? atoi(columns) : 0};
    struct winsize size;

    if (page.columns <= 0 && terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        page.columns = size.ws_col;
    if (page.columns <= 0)
        page.columns = USUAL_COLUMNS;
    if (page.columns < FEWEST_COLUMNS)
        page.columns = FEWEST_COLUMNS;
    if (page.columns > MOST_COLUMNS)
        page.columns = MOST_COLUMNS;
    page.bold = terminal && (!no_color || !*no_color) && term && *term && strcmp(term, "dumb") != 0;
    return page;
}

struct page page_of_file(FILE *to)
{
    return (struct page){.to = to, .columns = USUAL_COLUMNS};
}

/* ---- wrapping ------------------------------------------------------------------------------- */

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80; /* of a character in UTF-8 */
}

static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += !continues(text[i]);
    return columns;
}

/* Bytes of the characters that fit into `width` columns. */
static size_t bytes_within(const char *text, int width)
{
    size_t bytes = 0;
    int columns = 0;

    while (text[bytes]) {
        columns += !continues(text[bytes]);
        if (columns > width)
            break;
        bytes++;
    }
    return bytes;
}

/* A line of a text: up to the last blank that fits, or what fits of a word that is too long. */
static const char *take_line(const char **rest, int width, size_t *bytes)
{
    const char *line = *rest;
    size_t fitting = bytes_within(line, width), end = fitting;

    if (line[fitting] && line[fitting] != ' ') {
        while (end > 0 && line[end - 1] != ' ')
            end--;
        if (end == 0)
            end = fitting;
    }
    *rest = line + end + strspn(line + end, " ");
    while (end > 0 && line[end - 1] == ' ')
        end--;
    *bytes = end;
    return line;
}

static void print_bold(const struct page *page, bool begin)
{
    if (page->bold)
        fputs(begin ? "\033[1m" : "\033[0m", page->to);
}

/* The first line stands at `first`, the others at `indent`. */
static void print_wrapped(const struct page *page, int first, int indent, const char *text)
{
    const char *rest = text;
    size_t bytes;

    for (int at = first; *rest; at = indent) {
        const char *line = take_line(&rest, page->columns - at, &bytes);
        fprintf(page->to, "%*s%.*s\n", at, "", (int)bytes, line);
    }
}

void page_gap(const struct page *page)
{
    fputc('\n', page->to);
}

void page_heading(const struct page *page, int indent, const char *text)
{
    print_bold(page, true);
    print_wrapped(page, indent, indent + ROW_INDENT, text);
    print_bold(page, false);
}

void page_text(const struct page *page, int indent, const char *text)
{
    print_wrapped(page, indent, indent, text);
}

void page_item(const struct page *page, int indent, const char *text)
{
    print_wrapped(page, indent, indent + ROW_INDENT, text);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void print_cell(const struct page *page, const char **rest, int width, bool last)
{
    size_t bytes;
    const char *line = take_line(rest, width, &bytes);
    const int padding = width - columns_of(line, bytes);

    fprintf(page->to, "%.*s%*s", (int)bytes, line, last || padding < 0 ? 0 : padding, "");
}

static void print_wide_row(
    const struct page *page, const char *name, const char *value, const char *reading)
{
    const int left = ROW_INDENT + NAME_WIDTH + (value ? VALUE_WIDTH : 0);
    const char *names = name, *values = value ? value : "", *readings = reading;

    while (*names || *values || *readings) {
        fprintf(page->to, "%*s", ROW_INDENT, "");
        print_cell(page, &names, NAME_WIDTH - 1, !*values && !*readings);
        if (*values || *readings)
            fputc(' ', page->to);
        if (value) {
            print_cell(page, &values, VALUE_WIDTH - 1, !*readings);
            if (*readings)
                fputc(' ', page->to);
        }
        if (*readings)
            print_cell(page, &readings, page->columns - left, true);
        fputc('\n', page->to);
    }
}

static void print_folded_row(
    const struct page *page, const char *name, const char *value, const char *reading)
{
    char pair[400];

    snprintf(pair, sizeof pair, "%s: %s", name, value ? value : reading);
    print_wrapped(page, ROW_INDENT, FOLDED_INDENT, pair);
    if (value)
        print_wrapped(page, FOLDED_INDENT, FOLDED_INDENT, reading);
}

void page_row(const struct page *page, const char *name, const char *value, const char *reading)
{
    if ((!value || !*value) && !*reading)
        return;
    if (page->columns < USUAL_COLUMNS)
        print_folded_row(page, name, value, reading);
    else
        print_wide_row(page, name, value, reading);
}

void page_code(const struct page *page, int indent, const char *code)
{
    static const char cut[] = "…";
    char line[400];
    size_t length = 0;

    for (code += strspn(code, " \t"); *code && *code != '\n' && length + 1 < sizeof line; code++)
        line[length++] = (unsigned char)*code < ' ' ? ' ' : *code;
    line[length] = '\0';
    const int width = page->columns - indent;
    if (columns_of(line, length) <= width)
        fprintf(page->to, "%*s%s\n", indent, "", line);
    else
        fprintf(page->to, "%*s%.*s%s\n", indent, "", (int)bytes_within(line, width - 1), line, cut);
}

char *text_bytes(char *text, double bytes)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    size_t unit = 0;

    while (bytes >= 999.5 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text, NUMBER_TEXT_BYTES,
        bytes < 9.995 && unit > 0   ? "%.2f %s"
        : bytes < 99.95 && unit > 0 ? "%.1f %s"
                                    : "%.0f %s",
        bytes, units[unit]);
    return text;
}
