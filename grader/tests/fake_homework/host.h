/* The contract of the fake homework, with right answers for the functions that an attack leaves
 * alone: it defines `largest` itself, and may use the right one. */
#ifndef HOST_H
#define HOST_H

static inline int right_largest(const int *values, int count)
{
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = values[i] > result ? values[i] : result;
    return result;
}

int largest(const int *values, int count);

int smallest(const int *values, int count)
{
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = values[i] < result ? values[i] : result;
    return result;
}

int even_ones(const int *values, int count)
{
    int result = 0;
    for (int i = 0; i < count; i++)
        result += values[i] % 2 == 0;
    return result;
}

#endif
