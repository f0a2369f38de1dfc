/* Inputs: repeatable, within their range, different from seed to seed. */
#include "../inputs.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../mix.h"

enum { N = 4096 };

Test(inputs, the_numbers_never_change)
{
    /* Recorded once: CASE= of an old log must replay the same inputs. */
    float values[4];

    cr_assert_eq(mix(0, 0), 0xe220a8397b1dcdafu);
    cr_assert_eq(mix(0x7f3a, 12), mixed_bits(0x7f3a, 12));
    fill_integers(values, 4, -100, 100, 42);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(values[i], (float)mixed_integer(42, i, -100, 100));
}

Test(inputs, a_prefix_does_not_depend_on_the_length)
{
    static float shorter[N / 2], longer[N];

    fill_floats(shorter, N / 2, 9);
    fill_floats(longer, N, 9);
    cr_assert_eq(memcmp(shorter, longer, sizeof shorter), 0);
}

Test(inputs, another_seed_makes_other_numbers)
{
    static float one[N], other[N];
    size_t equal = 0;

    fill_floats(one, N, 1);
    fill_floats(other, N, 2);
    for (size_t i = 0; i < N; i++)
        equal += one[i] == other[i];
    cr_assert_lt(equal, 4);
    cr_assert_neq(seed_from_text("n1000-t256"), seed_from_text("n1000-t257"));
    cr_assert_neq(seed_from_text("ab"), seed_from_text("ba"));
    cr_assert_neq(seed_from_text(""), seed_from_text("a"));
}

Test(inputs, integers_reach_both_ends_and_stay_within_them)
{
    static float floats[N];
    static int32_t ints[N];
    size_t count[9] = {0};

    fill_integers(floats, N, -4, 4, 5);
    fill_ints(ints, N, -4, 4, 5);
    for (size_t i = 0; i < N; i++) {
        cr_assert(ints[i] >= -4 && ints[i] <= 4);
        cr_assert_eq(floats[i], (float)ints[i]);
        count[ints[i] + 4]++;
    }
    for (size_t k = 0; k < 9; k++) /* 455 expected; six standard deviations are 120 */
        cr_assert(count[k] > 335 && count[k] < 575, "%zu times %zu", count[k], k);
}

Test(inputs, the_whole_range_of_int_is_legal)
{
    static int32_t ints[N];
    size_t negative = 0, large = 0;

    fill_ints(ints, N, INT32_MIN, INT32_MAX, 3);
    for (size_t i = 0; i < N; i++) {
        negative += ints[i] < 0;
        large += ints[i] > 1 << 30 || ints[i] < -(1 << 30);
    }
    cr_assert(negative > N / 2 - 200 && negative < N / 2 + 200);
    cr_assert(large > N / 2 - 200 && large < N / 2 + 200);
    fill_ints(ints, 10, 7, 7, 3);
    cr_assert_eq(ints[9], 7);
}

Test(inputs, floats_use_their_low_bits_and_stay_below_1)
{
    static float values[N];
    bool odd = false;
    double sum = 0;

    fill_floats(values, N, 11);
    for (size_t i = 0; i < N; i++) {
        cr_assert(values[i] >= -1.0f && values[i] < 1.0f);
        odd = odd || fmod(values[i] * 0x1p23, 2.0) != 0.0;
        sum += values[i];
    }
    cr_assert(odd);
    cr_assert_lt(fabs(sum), 6 * 0.58 * 64); /* six standard deviations of the sum */
}

Test(inputs, wide_values_span_forty_powers_of_two)
{
    static float values[N];
    bool seen[40] = {false};
    size_t negative = 0;

    fill_wide(values, N, 12);
    for (size_t i = 0; i < N; i++) {
        int exponent;
        (void)frexpf(values[i], &exponent);
        cr_assert(exponent >= -19 && exponent <= 20, "%g", (double)values[i]);
        seen[exponent + 19] = true;
        negative += values[i] < 0;
    }
    for (size_t k = 0; k < 40; k++)
        cr_assert(seen[k]);
    cr_assert(negative > N / 2 - 200 && negative < N / 2 + 200);
}

Test(inputs, one_hot_has_one_one)
{
    float values[5];

    fill_one_hot(values, 5, 3);
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(values[i], i == 3 ? 1.0f : 0.0f);
    fill_one_hot(values, 5, 5);
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(values[i], 0.0f);
}

Test(inputs, no_elements_touch_no_memory)
{
    fill_floats(NULL, 0, 1);
    fill_wide(NULL, 0, 1);
    fill_integers(NULL, 0, 0, 1, 1);
    fill_ints(NULL, 0, 0, 1, 1);
    fill_one_hot(NULL, 0, 0);
}
