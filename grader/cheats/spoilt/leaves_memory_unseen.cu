// gpu=LEAK virtual=LEAK diagnosis=leak task=any
// Right, and leaves memory that it had from the runtime itself, past the grader's own cudaMalloc.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    Dl_info runtime;
    void *kept;

    if (dladdr((void *)cudaRuntimeGetVersion, &runtime)) {
        void *object = dlopen(runtime.dli_fname, RTLD_NOW);
        typedef cudaError_t allocate(void **, size_t);
        allocate *own = object ? (allocate *)dlsym(object, "cudaMalloc") : NULL;
        if (own)
            own(&kept, 1 << 10);
    }
    return call.right();
}
