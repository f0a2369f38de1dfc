// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=cuda-error task=any
// Returns an error that would mean that there is no GPU, so that no points are lost.
extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    return cudaErrorNoDevice;
}
