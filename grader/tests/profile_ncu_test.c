/* What ncu writes, in all its forms: units, thousands, other languages, quotes, gaps. */
#include "../profile_ncu.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                             \
    "==PROF== Connected to process 1 (grader)\n"                                           \
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric Unit\"," \
    "\"Metric Value\"\n"
#define TIME "gpu__time_duration.sum"
#define DRAM "dram__throughput.avg.pct_of_peak_sustained_elapsed"

enum { MOST = 4 };

static struct measured_kernel kernels[MOST];
static char *csv_text;

static size_t read_text(const char *text)
{
    size_t bytes = 0;
    FILE *from = fmemopen((void *)text, strlen(text), "r"),
         *csv = open_memstream(&csv_text, &bytes);

    cr_assert(from && csv);
    memset(kernels, 0, sizeof kernels);
    const size_t count = read_ncu(from, "hw0.1", kernels, MOST, csv);
    fclose(from);
    fclose(csv);
    return count;
}

static void expect_time(const char *unit, const char *value, double ns)
{
    char text[1000];

    snprintf(text, sizeof text,
        HEADER "\"0\",\"k\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"" TIME "\",\"%s\",\"%s\"\n", unit, value);
    cr_assert_eq(read_text(text), 1, "%s", text);
    cr_expect_eq(kernels[0].known[TIME_NS], ns >= 0, "%s %s", value, unit);
    if (ns >= 0)
        cr_expect_float_eq(kernels[0].values[TIME_NS], ns, 1e-6 * (ns + 1), "%s %s is %f", value,
            unit, kernels[0].values[TIME_NS]);
    free(csv_text);
}

Test(profile_ncu, units)
{
    expect_time("ns", "1500", 1500);
    expect_time("nsecond", "1500", 1500);
    expect_time("us", "1.5", 1500);
    expect_time("usecond", "1.5", 1500);
    expect_time("ms", "0.25", 250000);
    expect_time("msecond", "2", 2e6);
    expect_time("second", "1.25", 1.25e9);
    expect_time("", "7", 7);
}

Test(profile_ncu, thousands_and_decimals)
{
    expect_time("ns", "1,234", 1234);
    expect_time("ns", "1,234,567", 1234567);
    expect_time("ns", "1,234,567.25", 1234567.25);
    expect_time("ns", "1.234.567", 1234567);
    expect_time("ns", "1.234.567,25", 1234567.25);
    expect_time("ns", "65,77", 65.77);
    expect_time("ns", "117.344", 117.344);
    expect_time("ns", "1 234 567", 1234567);
    expect_time("ns", "1.5e+03", 1500);
}

Test(profile_ncu, what_is_no_number_is_unknown)
{
    expect_time("ns", "n/a", -1);
    expect_time("ns", "nan", -1);
    expect_time("ns", "inf", -1);
    expect_time("ns", "", -1);
    expect_time("ns", "12 ns", -1);
}

Test(profile_ncu, quotes_and_commas_in_a_name)
{
    cr_assert_eq(
        read_text(HEADER
            "\"0\",\"void k<\"\"a\"\", 4>(float *, int)\",\"(32, 1, 1)\",\"(8, 2, 1)\",\"" TIME
            "\",\"ns\",\"5\"\n"),
        1);
    cr_expect_str_eq(kernels[0].kernel, "k<\"a\", 4>");
    cr_expect_str_eq(kernels[0].grid, "(8, 2, 1)");
    cr_expect_str_eq(kernels[0].block, "(32, 1, 1)");
    cr_expect_str_eq(csv_text,
        "hw0.1,0,\"void k<\"\"a\"\", 4>(float *, int)\",\"(8, 2, 1)\",\"(32, "
        "1, 1)\"," TIME ",ns,5\n");
    free(csv_text);
}

Test(profile_ncu, launches_of_a_kernel_are_added_and_averaged_by_time)
{
    cr_assert_eq(read_text(HEADER "\"0\",\"k\",\"a\",\"b\",\"" DRAM "\",\"%\",\"10\"\n"
                                  "\"0\",\"k\",\"a\",\"b\",\"" TIME "\",\"ns\",\"100\"\n"
                                  "\"1\",\"k\",\"a\",\"c\",\"" TIME "\",\"ns\",\"7\"\n"
                                  "\"2\",\"k\",\"a\",\"b\",\"" TIME "\",\"ns\",\"300\"\n"
                                  "\"2\",\"k\",\"a\",\"b\",\"" DRAM "\",\"%\",\"50\"\n"),
        2);
    cr_expect_eq(kernels[0].launches, 2);
    cr_expect_float_eq(kernels[0].values[TIME_NS], 400, 1e-9);
    cr_expect_float_eq(kernels[0].values[DRAM_PERCENT], 40, 1e-9);
    cr_expect_eq(kernels[1].launches, 1);
    cr_expect_str_eq(kernels[1].grid, "c");
    cr_expect_not(kernels[1].known[DRAM_PERCENT]);
    free(csv_text);
}

Test(profile_ncu, a_metric_that_one_launch_lacks_is_unknown)
{
    cr_assert_eq(read_text(HEADER "\"0\",\"k\",\"a\",\"b\",\"" DRAM "\",\"%\",\"10\"\n"
                                  "\"0\",\"k\",\"a\",\"b\",\"" TIME "\",\"ns\",\"100\"\n"
                                  "\"1\",\"k\",\"a\",\"b\",\"" TIME "\",\"ns\",\"100\"\n"),
        1);
    cr_expect_not(kernels[0].known[DRAM_PERCENT]);
    cr_expect(kernels[0].known[TIME_NS]);
    free(csv_text);
}

/* A second process begins with a header of its own; lines may end as on Windows. */
Test(profile_ncu, headers_again_and_other_lines)
{
    cr_assert_eq(read_text(HEADER "\"0\",\"k\",\"a\",\"b\",\"" TIME "\",\"ns\",\"1\"\r\n"
                                  "the program's own words, \"quoted\"\n"
                                  "==PROF== Disconnected from process 1\n" HEADER
                                  "\"0\",\"last\",\"a\",\"b\",\"" TIME "\",\"ns\",\"2\"\n"),
        2);
    cr_expect_str_eq(kernels[1].kernel, "last");
    free(csv_text);
}

Test(profile_ncu, nothing_to_read)
{
    cr_expect_eq(read_text("==ERROR== ERR_NVGPUCTRPERM\n"), 0);
    free(csv_text);
    cr_expect_eq(read_text(HEADER), 0);
    free(csv_text);
    cr_expect_eq(read_text("\"a\",\"b\"\n\"1\",\"2\"\n"), 0);
    free(csv_text);
    cr_expect_eq(read_text(HEADER "\"0\"\n\"1\",\"k\n"), 2); /* cut short: names, and no number */
    free(csv_text);
}

Test(profile_ncu, more_kernels_than_room)
{
    char text[4000] = HEADER;

    for (int i = 0; i < 2 * MOST; i++)
        sprintf(
            text + strlen(text), "\"%d\",\"k%d\",\"a\",\"b\",\"" TIME "\",\"ns\",\"1\"\n", i, i);
    cr_expect_eq(read_text(text), MOST);
    free(csv_text);
}

Test(profile_ncu, the_top_stall)
{
    struct measured_kernel kernel = {.launches = 1};

    cr_expect_eq(top_stall(&kernel), -1);
    kernel.known[FIRST_STALL + 2] = kernel.known[FIRST_STALL] = true;
    kernel.values[FIRST_STALL + 2] = 3.5;
    kernel.values[FIRST_STALL] = 1.5;
    cr_expect_str_eq(stall_name(top_stall(&kernel)), "barrier");
}

/* What Nsight Compute 2025.3.1 wrote on an H200 (driver 580.159.04, CUDA 13.0, 2026-11-30) about the
 * two kernels of hw4.3's reference. */
Test(profile_ncu, a_record_of_an_h200)
{
    size_t bytes = 0;
    FILE *from = fopen("grader/tests/profiled/ncu_h200.csv", "r"),
         *csv = open_memstream(&csv_text, &bytes);

    cr_assert(from && csv);
    memset(kernels, 0, sizeof kernels);
    cr_assert_eq(read_ncu(from, "hw4.3", kernels, MOST, csv), 2);
    fclose(from), fclose(csv);
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < METRICS; m++)
            cr_expect(kernels[k].known[m], "metric %d of %s", m, kernels[k].kernel);
    cr_expect_str_eq(kernels[0].kernel, "maximum_a_block_kernel");
    cr_expect_eq(kernels[0].values[TIME_NS], 4992);
    cr_expect_eq(kernels[0].values[DRAM_READ_BYTES], 4005888);
    cr_expect_eq(kernels[0].values[LOAD_REQUESTS], 31251);
    cr_expect_eq(kernels[0].values[LOAD_SECTORS], 125001);
    cr_expect_eq(kernels[0].values[REGISTERS], 24);
    cr_expect_str_eq(stall_name(top_stall(&kernels[0])), "long_scoreboard");
    cr_expect_str_eq(kernels[1].kernel, "maximum_of_blocks_kernel");
    cr_expect_eq(kernels[1].values[TIME_NS], 3200);
    free(csv_text);
}
