// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=library-used task=any
// hw1: does not apply: no library is forbidden
// hw5: does not apply: no library is forbidden
// hw6: does not apply: no library is forbidden
// Includes a header of CUB where CUB would do the lesson's work.
#include <cub/version.cuh>

extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    return CUB_VERSION > 0 ? cudaSuccess : cudaErrorUnknown;
}
