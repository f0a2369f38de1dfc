/* Reading the grader's copy of an array. */
#include "array.h"

double array_value(const struct array *array, size_t i)
{
    switch (array->element) {
    case FLOAT32:
        return (double)array->floats[i];
    case INT32:
        return array->ints[i];
    case UINT32:
        return array->words[i];
    }
    return 0;
}

bool array_unwritten(const struct array *array, size_t i)
{
    return array->words[i] == POISON_WORD;
}
