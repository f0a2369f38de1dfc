// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=cuda-error task=any
// Says that the device cannot do it, hoping that nobody asks for the work then.
extern "C" int entry(void) __asm__(FUNCTION);

int entry(void)
{
    return cudaErrorNotSupported;
}
