/* Numbers as people read them. */
#include "../text.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>

Test(text, counts_have_thousands_separators)
{
    char text[NUMBER_TEXT_BYTES];

    cr_expect_str_eq(text_count(text, 0), "0");
    cr_expect_str_eq(text_count(text, 999), "999");
    cr_expect_str_eq(text_count(text, 1000), "1,000");
    cr_expect_str_eq(text_count(text, 1000003), "1,000,003");
    cr_expect_str_eq(text_count(text, (size_t)-1), "18,446,744,073,709,551,615");
}

Test(text, durations_have_three_digits_and_a_unit)
{
    char text[NUMBER_TEXT_BYTES];

    cr_expect_str_eq(text_duration(text, 240), "240 ns");
    cr_expect_str_eq(text_duration(text, 4120), "4.12 µs");
    cr_expect_str_eq(text_duration(text, 245000), "245 µs");
    cr_expect_str_eq(text_duration(text, 999700), "1.00 ms");
    cr_expect_str_eq(text_duration(text, 42.4e6), "42.4 ms");
    cr_expect_str_eq(text_duration(text, 1.5e9), "1.50 s");
}

Test(text, bandwidths_are_in_gigabytes_a_second)
{
    char text[NUMBER_TEXT_BYTES];

    cr_expect_str_eq(text_bandwidth(text, 7.318), "7.32 GB/s");
    cr_expect_str_eq(text_bandwidth(text, 4384.4), "4,384 GB/s");
}

static void expect_field(const char *text, const char *printed)
{
    cr_redirect_stdout();
    print_field("found", text);
    fflush(stdout);
    cr_expect_stdout_eq_str(printed);
}

Test(text, a_field_wraps_and_keeps_its_indent)
{
    expect_field("The right halo of the tile is not loaded, or by too few threads of a block.",
        "  found    The right halo of the tile is not loaded, or by too few threads of a\n"
        "           block.\n");
}

Test(text, a_terminal_obeys_nothing_that_a_field_holds)
{
    expect_field("\033[2J\r\x7f\xc2\x9b PASS", "  found    .[2J.... PASS\n");
}

Test(text, what_is_no_utf8_is_printed_as_dots)
{
    expect_field("µs → \xa7\xa7 \xe2\x86", "  found    µs → .. ..\n");
}
