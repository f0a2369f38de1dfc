// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=library-used task=hw4.1
// A header of the library that does the lesson's work, whichever folder the toolkit keeps it in.
#include <cub/version.cuh>

#include "../../../hw4_reduction/reduction_solution.cu"
