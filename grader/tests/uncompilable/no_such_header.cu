// A header that does not exist. task= line=2 says=#include names a file that is not there
#include "cuda_tri.h"
