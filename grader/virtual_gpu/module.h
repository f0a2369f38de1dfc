/* A loaded module: its program, the addresses of its variables on one device, its kernels. */
#ifndef VIRTUAL_GPU_MODULE_H
#define VIRTUAL_GPU_MODULE_H

#include "decode.h"
#include "engine.h"

/* A parsed program, shared by the copies of a module for several devices. */
struct shared_program {
    struct ptx_module *ptx;
    uint32_t users;
};

struct engine_kernel {
    struct engine_module *module;
    struct ptx_function *function;
    struct engine_kernel_info info;
    struct engine_param *params;
    char pretty_name[128];
    struct kernel_code *code; /* decoded at the first launch */
};

struct engine_module {
    struct shared_program *program;
    int device;
    struct engine_kernel *kernels;
    size_t kernel_count;
    struct engine_variable *variables; /* same order as in the PTX */
    uint64_t *addresses;
    size_t variable_count;
    /* NULL, or the module that this one is a copy of: managed variables are its. */
    const struct engine_module *original;
};

/* The module is about to go: the counters of its last launch are no longer to be had. */
void launch_forget(const struct engine_module *module);

#endif
