/* The comparison: what agrees, which pattern is recognised, and what is not one. */
#include "../compare.h"

#include <criterion/criterion.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../inputs.h"

enum { N = 1000, BLOCK = 64 };

/* One output and its answer, made anew in each test process. The answers are odd
 * integers, far apart, so that nothing is right by luck. */
static float got[N];
static int32_t got_ints[N];
static double want[N], bound[N];
static struct array output, int_output;
static struct expectation expectation;

static void make_answer(void)
{
    for (size_t i = 0; i < N; i++) {
        want[i] = (double)(1 + 2 * (mix(5, i) % 100000));
        got[i] = (float)want[i];
        got_ints[i] = (int32_t)want[i];
    }
    output = (struct array){
        .name = "out", .element = FLOAT32, .count = N, .is_output = true, .floats = got};
    int_output = (struct array){
        .name = "out", .element = INT32, .count = N, .is_output = true, .ints = got_ints};
    expectation = (struct expectation){.output = &output, .want = want};
}

TestSuite(compare, .init = make_answer);
TestSuite(agrees);

static void poison(size_t i)
{
    output.words[i] = POISON_WORD;
}

/* The diagnosis for the state of the output, with the sentences for a failing assertion. */
static void expect_diagnosis(const char *diagnosis, const char *where, const char *right)
{
    const struct mismatch mismatch = compare(&expectation);

    cr_assert_not_null(mismatch.diagnosis, "nothing wrong, expected %s", diagnosis);
    cr_assert_str_eq(mismatch.diagnosis, diagnosis, "%s (%s)", mismatch.diagnosis, mismatch.where);
    if (where)
        cr_assert_str_eq(mismatch.where, where, "%s", mismatch.where);
    if (right)
        cr_assert_str_eq(mismatch.right, right, "%s", mismatch.right);
}

/* ---- agreement ------------------------------------------------------------------------------ */

Test(agrees, within_the_bound)
{
    cr_assert(agrees(1.0, 1.0, 0));
    cr_assert(agrees(1.5, 1.0, 0.5));
    cr_assert(!agrees(1.5000001, 1.0, 0.5));
    cr_assert(!agrees(1.0, 1.0 + DBL_EPSILON, 0));
    cr_assert(!agrees(1.0, 1.0, -1));
}

Test(agrees, nan_never)
{
    cr_assert(!agrees(NAN, 1, 1e300));
    cr_assert(!agrees(1, NAN, 1e300));
    cr_assert(!agrees(NAN, NAN, INFINITY));
    cr_assert(!agrees(1, 2, NAN));
}

Test(agrees, infinity_with_itself_only)
{
    cr_assert(agrees(INFINITY, INFINITY, 0));
    cr_assert(agrees(-INFINITY, -INFINITY, 1));
    cr_assert(!agrees(INFINITY, -INFINITY, INFINITY));
    cr_assert(!agrees(INFINITY, FLT_MAX, 1e300));
    cr_assert(!agrees(FLT_MAX, INFINITY, INFINITY));
    cr_assert(!agrees(1, 2, INFINITY));
}

Test(agrees, both_zeros_and_the_ends_of_the_integers)
{
    cr_assert(agrees(-0.0, 0.0, 0));
    cr_assert(agrees(INT_MIN, INT_MIN, 0));
    cr_assert(!agrees(INT_MIN, INT_MAX, 0));
    cr_assert(!agrees((double)UINT32_MAX, -1, 0));
}

Test(compare, a_right_answer_has_no_diagnosis)
{
    const struct mismatch mismatch = compare(&expectation);

    cr_assert_eq(mismatch.wrong, 0);
    cr_assert_null(mismatch.diagnosis);
    cr_assert_str_empty(mismatch.where);
}

Test(compare, no_elements_are_right)
{
    output.count = 0;
    cr_assert_eq(compare(&expectation).wrong, 0);
}

Test(compare, a_bound_is_per_element)
{
    for (size_t i = 0; i < N; i++)
        bound[i] = i == 7 ? 0.5 : 2;
    expectation.bound = bound;
    for (size_t i = 0; i < N; i++)
        got[i] += 1;
    const struct mismatch mismatch = compare(&expectation);
    cr_assert_eq(mismatch.wrong, 1);
    cr_assert_eq(mismatch.first, 7);
}

Test(compare, integers_at_their_ends)
{
    expectation.output = &int_output;
    int_output.count = 2;
    got_ints[0] = INT_MIN;
    got_ints[1] = INT_MAX;
    want[0] = INT_MIN;
    want[1] = INT_MAX;
    cr_assert_eq(compare(&expectation).wrong, 0);
    got_ints[0] = INT_MAX;
    cr_assert_eq(compare(&expectation).wrong, 1);
    int_output.element = UINT32;
    got_ints[0] = -1;
    want[0] = (double)UINT32_MAX;
    cr_assert_eq(compare(&expectation).wrong, 0);
}

/* ---- one element ---------------------------------------------------------------------------- */

Test(compare, of_one_element_little_can_be_said)
{
    output.count = 1;
    got[0] = (float)want[0] + 3;
    expect_diagnosis("wrong-value", "", "");
    got[0] = 0;
    expect_diagnosis("all-zero", "the whole output is 0", "");
    got[0] = NAN;
    expect_diagnosis("all-nan", NULL, "");
    poison(0);
    expect_diagnosis("unwritten", NULL, "");
}

/* ---- suspects ------------------------------------------------------------------------------- */

Test(compare, a_suspect_wins_over_a_pattern)
{
    double one[N], other[N];
    const struct suspect suspects[] = {
        {"other-mistake", other}, {"this-mistake", one}, {NULL, NULL}};

    for (size_t i = 0; i < N; i++) {
        one[i] = i < 500 ? 0 : NAN;
        other[i] = 0;
        got[i] = 0;
        if (i >= 500)
            poison(i);
    }
    expectation.suspects = suspects;
    expect_diagnosis("this-mistake",
        "all 1,000 wrong: the output is exactly what the mistake below gives", NULL);
    got[999] = 0;
    expect_diagnosis("unknown-pattern", NULL, NULL);
    for (size_t i = 0; i < N; i++)
        got[i] = 0;
    expect_diagnosis("other-mistake", NULL, NULL);
}

Test(compare, a_suspect_is_compared_within_the_bound)
{
    const double half = want[0] / 2, tolerance = 0.25;
    const struct suspect suspects[] = {{"half", &half}, {NULL, NULL}};

    output.count = 1;
    expectation.suspects = suspects;
    expectation.bound = &tolerance;
    got[0] = (float)half + 0.25f;
    expect_diagnosis("half", "", "");
    got[0] = (float)half + 0.5f;
    expect_diagnosis("wrong-value", NULL, NULL);
}

/* ---- patterns of values --------------------------------------------------------------------- */

Test(compare, unwritten)
{
    for (size_t i = 0; i < N; i++)
        poison(i);
    expect_diagnosis("unwritten",
        "all 1,000 wrong: they still hold the junk that was put there before the call", "");
    got[500] = 12345;
    expect_diagnosis("unknown-pattern", NULL, NULL);
    got[500] = (float)want[500];
    expect_diagnosis("gaps", NULL, NULL);
}

Test(compare, unwritten_integers)
{
    expectation.output = &int_output;
    for (size_t i = 0; i < N; i++)
        got_ints[i] = POISON_WORD;
    expect_diagnosis("unwritten", NULL, NULL);
}

Test(compare, accumulated)
{
    expectation.output = &int_output;
    for (size_t i = 0; i < N; i++)
        int_output.words[i] += POISON_WORD;
    expect_diagnosis("accumulated", NULL, "");
    got_ints[3]++;
    expect_diagnosis("unknown-pattern", NULL, NULL);
    got_ints[3] = (int32_t)want[3];
    expect_diagnosis("unknown-pattern", NULL, "1 of 1,000 elements");
}

Test(compare, accumulated_wraps_around)
{
    expectation.output = &int_output;
    int_output.count = 1;
    want[0] = INT_MAX;
    int_output.words[0] = (uint32_t)INT_MAX + POISON_WORD;
    expect_diagnosis("accumulated", NULL, NULL);
}

Test(compare, all_nan)
{
    for (size_t i = 0; i < N; i++)
        got[i] = NAN;
    expect_diagnosis("all-nan", "all 1,000 wrong: each is NaN (no number)", "");
    got[1] = 1e6f;
    expect_diagnosis("unknown-pattern",
        "all 1,000 wrong: no pattern that the grader knows, 999 of them NaN", "");
}

Test(compare, all_zero)
{
    memset(got, 0, sizeof got);
    got[5] = -0.0f;
    expect_diagnosis("all-zero", "all 1,000 wrong: the whole output is 0", "");
    want[7] = 0;
    expect_diagnosis("all-zero", "999 wrong: the whole output is 0", "");
    got[9] = 1e-30f;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, all_same)
{
    for (size_t i = 0; i < N; i++)
        got[i] = -2.5f;
    expect_diagnosis("all-same", "all 1,000 wrong: every element is -2.5", "");
    got[999] = -2.25f;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, all_same_is_no_news_where_all_answers_are)
{
    for (size_t i = 0; i < N; i++) {
        want[i] = 8;
        got[i] = 10;
    }
    expect_diagnosis("constant-offset", "all 1,000 wrong: each is 2 too large", NULL);
}

Test(compare, copy_of_input)
{
    static float a[N], b[N];
    const struct array inputs[] = {
        {.name = "a", .count = N, .floats = a}, {.name = "b", .count = N, .floats = b}};

    fill_floats(a, N, 1);
    fill_floats(b, N, 2);
    expectation.inputs[0] = &inputs[0];
    expectation.inputs[2] = &inputs[1];
    memcpy(got, b, sizeof got);
    expect_diagnosis(
        "copy-of-input", "all 1,000 wrong: the output is a copy of the input `b`", NULL);
    got[N - 1] = a[N - 1];
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

static void transpose_into_got(size_t rows, size_t columns)
{
    output.count = rows * columns;
    expectation.columns = columns;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            got[k * rows + i] = (float)want[i * columns + k];
}

Test(compare, transposed)
{
    transpose_into_got(20, 50);
    expect_diagnosis("transposed", NULL, "every value, but in another place");
    got[999] += 1; /* the corner stays where it is when a matrix is transposed */
    expect_diagnosis("unknown-pattern", NULL, NULL);
    transpose_into_got(2, 3);
    expect_diagnosis("transposed", NULL, NULL);
    transpose_into_got(20, 50);
    expectation.columns = 0;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, off_by_one_to_the_left)
{
    for (size_t i = 0; i + 1 < N; i++)
        got[i] = (float)want[i + 1];
    poison(N - 1);
    expect_diagnosis("off-by-one",
        "all 1,000 wrong: each element holds the answer of its right neighbour",
        "the values, shifted by one element");
    got[500] = 2;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, off_by_one_to_the_right)
{
    for (size_t i = N - 1; i > 0; i--)
        got[i] = (float)want[i - 1];
    expect_diagnosis(
        "off-by-one", "999 wrong: each element holds the answer of its left neighbour", NULL);
}

Test(compare, constant_offset)
{
    for (size_t i = 0; i < N; i++)
        got[i] -= 3;
    expect_diagnosis("constant-offset", "all 1,000 wrong: each is 3 too small", "");
    got[17] += 1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, constant_factor)
{
    for (size_t i = 0; i < N; i++)
        got[i] *= 2;
    expect_diagnosis("constant-factor", "all 1,000 wrong: each is 2 times what is expected", "");
    want[4] = 0;
    got[4] = 0;
    expect_diagnosis("constant-factor", NULL, NULL);
    got[4] = 1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, a_factor_of_nearly_1_is_inaccuracy)
{
    for (size_t i = 0; i < N; i++)
        got[i] = nextafterf(got[i], INFINITY);
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

/* ---- patterns of places: ranges ------------------------------------------------------------- */

static void spoil(size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        got[i] = -(float)(i * i % 97 + 1);
}

static void leave_unwritten(size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        poison(i);
}

static void spoil_nothing_before(size_t begin)
{
    make_answer();
    spoil(begin, N);
}

Test(compare, first_element_only)
{
    leave_unwritten(1, N);
    expect_diagnosis("first-element-only", "999 wrong: everything from index 1 on (never written)",
        "the first element");
    got[1] = (float)want[1];
    expect_diagnosis("stops-early", NULL, "the first 2 elements");
    spoil(1, N);
    expect_diagnosis("unknown-pattern", NULL, "1 of 1,000 elements");
    spoil_nothing_before(8);
    expect_diagnosis("end-wrong", NULL, "the first 8 elements");
}

Test(compare, first_quarter_only)
{
    leave_unwritten(N / 4, N);
    expect_diagnosis(
        "first-quarter-only", NULL, "the first quarter: 250 elements fit into 1,000 bytes");
    spoil(N / 4, N);
    expect_diagnosis(
        "first-quarter-only", "750 wrong: everything from index 250 on (wrong values)", NULL);
    got[N / 4] = (float)want[N / 4];
    got[N / 4 + 1] = (float)want[N / 4 + 1];
    expect_diagnosis("first-quarter-only", NULL, NULL); /* right by luck */
    got[N / 4 + 2] = (float)want[N / 4 + 2];
    expect_diagnosis("end-wrong", NULL, NULL); /* three are no luck any more */
    got[N / 4 - 1] = -7;
    expect_diagnosis("end-wrong", NULL, NULL);
}

Test(compare, every_second)
{
    for (size_t i = 1; i < N; i += 2)
        poison(i);
    expect_diagnosis("every-second",
        "500 wrong: every second element, the odd ones (never written)", "the even elements");
    got[500] = -1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, every_second_even)
{
    for (size_t i = 0; i < N; i += 2)
        got[i] = -5;
    expect_diagnosis("every-second",
        "500 wrong: every second element, the even ones (wrong values)", "the odd elements");
}

Test(compare, every_third_is_not_every_second)
{
    for (size_t i = 0; i < N; i += 3)
        got[i] = -5;
    expect_diagnosis("unknown-pattern", "334 wrong: scattered from index 0 to index 999",
        "666 of 1,000 elements");
}

Test(compare, nan_is_counted_where_there_is_no_pattern)
{
    got[10] = got[20] = NAN;
    expect_diagnosis(
        "unknown-pattern", "2 wrong: scattered from index 10 to index 20, all NaN", NULL);
    got[15] = -1;
    expect_diagnosis(
        "unknown-pattern", "3 wrong: scattered from index 10 to index 20, 2 of them NaN", NULL);
}

Test(compare, beginning_wrong)
{
    spoil(0, 30);
    expect_diagnosis("beginning-wrong", "30 wrong: everything up to index 29 (wrong values)",
        "everything from index 30 on");
    got[200] = -1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, first_element_wrong)
{
    spoil(0, 1);
    spoil(0, N - 7);
    expect_diagnosis("unknown-pattern", NULL, NULL);
    spoil_nothing_before(N);
    spoil(0, 1);
    expect_diagnosis("beginning-wrong", "1 wrong: the first element (wrong values)", NULL);
}

Test(compare, stops_early)
{
    leave_unwritten(600, N);
    expect_diagnosis("stops-early", "400 wrong: everything from index 600 on (never written)",
        "the first 600 elements");
    got[N - 1] = -1;
    expect_diagnosis("end-wrong", NULL, NULL);
}

Test(compare, stops_early_at_the_end_of_a_block)
{
    leave_unwritten(4 * BLOCK, N);
    expectation.threads_per_block = BLOCK;
    expect_diagnosis("stops-early", NULL, "the first 256 elements: 4 blocks of 64");
}

Test(compare, end_wrong)
{
    spoil(999, N);
    expect_diagnosis("end-wrong", "1 wrong: the last element (wrong values)", NULL);
    spoil(10, 11);
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, gaps)
{
    leave_unwritten(10, 12);
    leave_unwritten(700, 707);
    expect_diagnosis("gaps", "9 wrong: never written, scattered from index 10 to index 706",
        "every element that was written");
    got[10] = -1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

/* ---- patterns of places: blocks ------------------------------------------------------------- */

Test(compare, grid_rounded_down)
{
    expectation.threads_per_block = BLOCK;
    leave_unwritten(N / BLOCK * BLOCK, N);
    expect_diagnosis("grid-rounded-down",
        "40 wrong: those after the last whole block (never written)",
        "the 15 whole blocks of 64 threads");
    got[N - 1] = -1; /* so something was written there */
    expect_diagnosis("last-partial-block", NULL, NULL);
    output.on_host = true; /* but a copy from the device writes everything */
    expect_diagnosis("grid-rounded-down", NULL, NULL);
}

Test(compare, last_partial_block)
{
    expectation.threads_per_block = BLOCK;
    spoil(N / BLOCK * BLOCK, N);
    expect_diagnosis(
        "last-partial-block", "40 wrong: those after the last whole block (wrong values)", NULL);
    spoil(N / BLOCK * BLOCK - 1, N);
    expect_diagnosis("end-wrong", NULL, NULL);
}

Test(compare, no_partial_block)
{
    expectation.threads_per_block = BLOCK;
    output.count = 10 * BLOCK;
    leave_unwritten(9 * BLOCK, 10 * BLOCK);
    expect_diagnosis("stops-early", NULL, NULL);
    expectation.threads_per_block = 1024; /* more threads than elements */
    expect_diagnosis("stops-early", NULL, NULL);
}

Test(compare, first_block_only)
{
    expectation.threads_per_block = BLOCK;
    leave_unwritten(BLOCK, N);
    expect_diagnosis("first-block-only", NULL, "the first block, of 64 threads");
    spoil(BLOCK, N);
    expect_diagnosis("end-wrong", NULL, NULL);
    output.count = BLOCK + 9; /* one whole block: the grid may have been rounded down */
    leave_unwritten(BLOCK, BLOCK + 9);
    expect_diagnosis("first-block-only", NULL, NULL);
}

static void spoil_borders(size_t starts, size_t ends, bool outer)
{
    make_answer();
    expectation.threads_per_block = BLOCK;
    for (size_t i = 0; i < N; i++) {
        const bool at_end = i < starts || i >= N - ends;
        if ((i % BLOCK < starts || i % BLOCK >= BLOCK - ends) && (outer || !at_end))
            got[i] = -9;
    }
}

Test(compare, block_ends)
{
    spoil_borders(0, 3, false);
    expect_diagnosis("block-ends", "45 wrong: the last 3 of every block",
        "the inside of every block of 64 threads");
    got[100] = -1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
    spoil_borders(0, 1, true);
    expect_diagnosis("block-ends", "15 wrong: the last element of every block", NULL);
}

Test(compare, block_starts)
{
    spoil_borders(2, 0, false);
    expect_diagnosis("block-starts", "30 wrong: the first 2 of every block", NULL);
    spoil_borders(2, 0, true);
    expect_diagnosis("block-starts", "32 wrong: the first 2 of every block", NULL);
}

Test(compare, block_borders)
{
    spoil_borders(3, 3, true);
    expect_diagnosis("block-borders", "93 wrong: the first 3 and the last 3 of every block", NULL);
    spoil_borders(1, 16, true);
    expect_diagnosis(
        "block-borders", "256 wrong: the first element and the last 16 of every block", NULL);
}

Test(compare, the_outer_ends_of_the_array_may_be_right)
{
    spoil_borders(0, 0, true);
    output.count = 2 * BLOCK;
    spoil(BLOCK - 3, BLOCK);
    expect_diagnosis("block-ends", "3 wrong: the last 3 of every block", NULL);
    spoil_borders(0, 0, true);
    output.count = 2 * BLOCK;
    spoil(BLOCK, BLOCK + 2);
    expect_diagnosis("block-starts", "2 wrong: the first 2 of every block", NULL);
}

Test(compare, more_than_a_quarter_of_a_block_is_no_border)
{
    spoil_borders(16, 0, true);
    expect_diagnosis("block-starts", NULL, NULL);
    spoil_borders(17, 0, true);
    expect_diagnosis("unknown-pattern", NULL, NULL);
    spoil_borders(0, 17, true);
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, the_border_of_one_block_alone)
{
    spoil_borders(0, 0, true);
    spoil(5 * BLOCK - 3, 5 * BLOCK);
    expect_diagnosis("unknown-pattern", NULL, NULL);
    expectation.threads_per_block = 0;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

/* ---- patterns of places: matrices ----------------------------------------------------------- */

static void as_matrix(size_t columns)
{
    make_answer();
    expectation.columns = columns;
}

static void spoil_rectangle(size_t row, size_t rows, size_t column, size_t columns)
{
    for (size_t r = row; r < row + rows; r++)
        for (size_t c = column; c < column + columns; c++)
            got[r * expectation.columns + c] = -(float)(r + 3 * c * c % 89 + 1);
}

Test(compare, rows_of_a_matrix) /* 20 rows of 50 */
{
    as_matrix(50);
    spoil_rectangle(1, 19, 0, 50);
    expect_diagnosis(
        "first-row-only", "950 wrong: the last 19 rows of 20 (wrong values)", "the first row");
    expectation.row = "set";
    expect_diagnosis(
        "first-row-only", "950 wrong: the last 19 sets of 20 (wrong values)", "the first set");
    expectation.row = NULL;
    as_matrix(50);
    spoil_rectangle(0, 2, 0, 50);
    expect_diagnosis(
        "first-rows", "100 wrong: the first 2 rows of 20 (wrong values)", "the last 18 rows");
    as_matrix(50);
    spoil_rectangle(16, 4, 0, 50);
    expect_diagnosis("last-rows", "200 wrong: the last 4 rows of 20 (wrong values)", NULL);
    got[0] = -1;
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, columns_of_a_matrix)
{
    as_matrix(50);
    spoil_rectangle(0, 20, 1, 49);
    expect_diagnosis("first-column-only", "980 wrong: the last 49 columns of 50 (wrong values)",
        "the first column");
    as_matrix(50);
    spoil_rectangle(0, 20, 0, 1);
    expect_diagnosis("first-columns", "20 wrong: the first column of 50 (wrong values)", NULL);
    as_matrix(50);
    spoil_rectangle(0, 20, 48, 2);
    expect_diagnosis("last-columns", NULL, "the first 48 columns");
    as_matrix(50);
    spoil_rectangle(0, 10, 48, 2); /* half of their rows */
    expect_diagnosis("unknown-pattern", NULL, NULL);
}

Test(compare, part_of_a_row)
{
    as_matrix(50);
    spoil_rectangle(19, 1, 40, 10);
    expect_diagnosis("end-wrong", NULL, NULL);
}

/* ---- in words ------------------------------------------------------------------------------- */

static void expect_text(size_t i, const char *text)
{
    char line[200];

    describe_element(&expectation, i, line, sizeof line);
    cr_assert_str_eq(line, text, "%s", line);
}

Test(compare, an_element_in_words)
{
    for (size_t i = 0; i < N; i++) {
        want[i] = 90;
        got[i] = 90;
    }
    got[253] = 70;
    want[253] = 94;
    expectation.threads_per_block = 256;
    expect_text(253, "index 253 = block 0, thread 253      got 70    expected 94"
                     "\nbefore it 90 (right), after it 90 (right)");
    expectation.threads_per_block = 0;
    got[0] = -1;
    expect_text(0, "index 0      got -1    expected 90\nafter it 90 (right)");
    expectation.columns = 50;
    poison(999);
    expect_text(999, "row 19, column 49      got junk (never written)    expected 90"
                     "\nbefore it 90 (right)");
    got[500] = nextafterf(90, 91);
    expect_text(500, "row 10, column 0      got 90.0000076    expected 90"
                     "\nbefore it 90 (right), after it 90 (right)");
    expectation.row = "set";
    expect_text(500, "set 10, column 0      got 90.0000076    expected 90"
                     "\nbefore it 90 (right), after it 90 (right)");
    expectation.row = NULL;
    got[998] = -INFINITY;
    expect_text(998, "row 19, column 48      got -infinity    expected 90"
                     "\nbefore it 90 (right), after it junk (wrong)");
}

Test(compare, a_single_value_in_words)
{
    const double tolerance = 0.001;

    output.count = 1;
    output.name = "sum";
    want[0] = 1234567;
    got[0] = -NAN;
    expectation.bound = &tolerance;
    expect_text(0, "`sum`      got NaN    expected 1234567 ± 0.001");
}

Test(compare, integers_in_words)
{
    expectation.output = &int_output;
    got_ints[2] = 5;
    got_ints[3] = INT_MAX;
    got_ints[4] = 9;
    want[2] = 5;
    want[3] = INT_MIN;
    want[4] = 8;
    expect_text(3, "index 3      got 2147483647    expected -2147483648\nbefore it 5 (right), "
                   "after it 9 (wrong)");
}
