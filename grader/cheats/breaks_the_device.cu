// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=launch-failure task=any
// A kernel that traps: the error sticks to the device's context, and no later call works.
extern "C" int entry(void) __asm__(FUNCTION);

static __global__ void fail(void)
{
    __trap();
}

int entry(void)
{
    fail<<<1, 1>>>();
    return cudaSuccess;
}
