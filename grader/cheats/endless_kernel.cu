// gpu=TIMED OUT virtual=TIMED OUT diagnosis=time-limit task=any
// A kernel that never ends.
extern "C" int entry(void) __asm__(FUNCTION);

static __device__ volatile int never;

static __global__ void run_for_ever(void)
{
    while (never == 0)
        ;
}

int entry(void)
{
    run_for_ever<<<1, 1>>>();
    return cudaSuccess;
}
