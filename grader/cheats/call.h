/* A cheat of grader/cheats/spoilt: one call of a homework's function, which a family spoils.
 *
 * grader/cheats/entries/ says for each homework which function that is, and how the reference does
 * its work; a family needs no lesson, so it is compiled once and linked for each. */
#ifndef CHEATS_CALL_H
#define CHEATS_CALL_H

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stddef.h>

#include <functional>
#include <string>

enum numbers { FLOATS, INTEGERS };

struct call {
    const void *input; /* the output, where an array is changed in place */
    void *output;
    size_t input_bytes, output_bytes;
    enum numbers numbers;
    bool timed; /* larger than the cases: where time is taken, as far as a cheat can tell */
    cudaStream_t stream;

    /* The reference, from another input, to another output, in another stream, for a share of the
     * work. Copies its arguments, so that it can be called later. */
    std::function<cudaError_t(const void *input, void *output, cudaStream_t stream, double share)>
        work;

    cudaError_t right() const
    {
        return work(input, output, stream, 1.0);
    }
};

/* What the family makes of it. */
cudaError_t spoil(const struct call &call);

/* The reference's function of the same name. REFERENCE: its object, seen from the cheat's. */
static inline void *reference(const char *name)
{
    static void *object;
    Dl_info self;

    if (!object && dladdr((void *)spoil, &self)) {
        std::string folder = self.dli_fname;
        folder.resize(folder.rfind('/') + 1);
        object = dlopen((folder + REFERENCE).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    return object ? dlsym(object, name) : NULL;
}

#define RIGHT(function) ((decltype(&function))reference(#function))

#endif
