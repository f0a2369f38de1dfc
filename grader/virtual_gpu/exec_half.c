/* Half precision and bfloat16. */
#include "exec.h"

const struct exec_row exec_half_rows[] = {{0}};
