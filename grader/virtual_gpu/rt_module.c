/* Fat binaries, kernels and variables, as nvcc's start-up code registers them.
 *
 * Registration happens before main and must be cheap: the PTX is read when a module's first kernel
 * or variable is needed, once for each device.
 */
#include "rt.h"
#include "rt_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rt_module {
    struct rt_module *next;
    const void *fatbin;
    struct engine_module *loaded[DEVICE_COUNT_MAX];
    bool failed;
    void *handle[1]; /* nvcc's code takes the address of this for the module's name */
};

/* The wrapper in .nvFatBinSegment. */
struct fatbin_wrapper {
    int magic, version;
    const void *data;
    void *unused;
};

static struct rt_module *modules;
static struct rt_function *functions;
static struct rt_variable *variables;

static void out_of_memory(void)
{
    fputs("virtual GPU: out of host memory\n", stderr);
    abort();
}

static struct rt_module *module_of_handle(void **handle)
{
    for (struct rt_module *module = modules; module != NULL; module = module->next)
        if (module->handle == handle)
            return module;
    return NULL;
}

/* ---- reading modules ------------------------------------------------------------------------- */

/* The other devices share the program that the first one has read. */
static struct engine_module *load(struct rt_module *module, int device)
{
    char error[512] = "";
    for (int i = 0; i < DEVICE_COUNT_MAX; i++)
        if (module->loaded[i] != NULL)
            return engine_clone_module(module->loaded[i], device);
    if (module->failed)
        return NULL;
    struct engine_module *loaded = engine_load_fatbin(module->fatbin, device, error, sizeof error);
    if (loaded == NULL) {
        module->failed = true;
        rt_finding("module", SEVERITY_ERROR, "the program's device code cannot be read: %s", error);
    }
    return loaded;
}

static struct engine_module *module_on(struct rt_module *module, int device)
{
    if (module->loaded[device] == NULL)
        module->loaded[device] = load(module, device);
    return module->loaded[device];
}

static void unload(struct rt_module *module)
{
    for (int i = 0; i < DEVICE_COUNT_MAX; i++)
        if (module->loaded[i] != NULL)
            engine_unload(module->loaded[i]);
}

/* ---- finding things -------------------------------------------------------------------------- */

struct rt_function *rt_find_function(const void *stub_or_handle)
{
    for (struct rt_function *function = functions; function != NULL; function = function->next)
        if (function->stub == stub_or_handle || function == stub_or_handle)
            return function;
    return NULL;
}

const char *rt_kernel_name(struct rt_function *function, int device)
{
    cudaError_t unused;
    const struct engine_kernel *kernel = rt_kernel(function, device, &unused);
    return kernel == NULL ? function->name : engine_kernel_info(kernel)->pretty_name;
}

struct engine_kernel *rt_kernel(struct rt_function *function, int device, cudaError_t *error)
{
    *error = cudaSuccess;
    if (function->kernel[device] != NULL)
        return function->kernel[device];
    struct engine_module *module = module_on(function->module, device);
    if (module == NULL) {
        *error = cudaErrorNoKernelImageForDevice;
        return NULL;
    }
    function->kernel[device] = engine_find_kernel(module, function->name);
    if (function->kernel[device] == NULL)
        *error = cudaErrorInvalidDeviceFunction;
    return function->kernel[device];
}

size_t rt_dynamic_shared_limit(
    const struct rt_function *function, const struct engine_kernel_info *info)
{
    if (function->dynamic_shared_max >= 0)
        return (size_t)function->dynamic_shared_max;
    return info->static_shared_bytes >= DEVICE_SHARED_PER_BLOCK
               ? 0
               : DEVICE_SHARED_PER_BLOCK - info->static_shared_bytes;
}

static struct rt_variable *find_variable(const void *host)
{
    for (struct rt_variable *variable = variables; variable != NULL; variable = variable->next)
        if (variable->host == host ||
            (variable->managed != NULL && *variable->managed == host && host != NULL))
            return variable;
    return NULL;
}

cudaError_t rt_find_symbol(const void *symbol, const struct engine_variable **found)
{
    struct rt_variable *variable = find_variable(symbol);
    if (variable == NULL)
        return cudaErrorInvalidSymbol;
    struct engine_module *module = module_on(variable->module, rt_thread.device);
    if (module == NULL)
        return cudaErrorNoKernelImageForDevice;
    *found = engine_find_variable(module, variable->name);
    return *found == NULL ? cudaErrorInvalidSymbol : cudaSuccess;
}

/* Gives the host the addresses of the module's managed variables. */
static cudaError_t place_managed_variables(struct rt_module *module)
{
    for (struct rt_variable *variable = variables; variable != NULL; variable = variable->next) {
        if (variable->module != module || variable->managed == NULL)
            continue;
        struct engine_module *loaded = module_on(module, 0);
        const struct engine_variable *found =
            loaded == NULL ? NULL : engine_find_variable(loaded, variable->name);
        if (found == NULL)
            return cudaErrorInvalidSymbol;
        *variable->managed = (void *)(uintptr_t)found->address;
    }
    return cudaSuccess;
}

/* ---- what nvcc's code calls ------------------------------------------------------------------ */

VGPU_EXPORT void **__cudaRegisterFatBinary(void *wrapper)
{
    struct rt_module *module = calloc(1, sizeof *module);
    if (module == NULL)
        out_of_memory();
    rt_lock();
    module->fatbin = ((const struct fatbin_wrapper *)wrapper)->data;
    module->next = modules;
    modules = module;
    rt_unlock();
    return module->handle;
}

VGPU_EXPORT void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

VGPU_EXPORT void __cudaRegisterFunction(void **handle, const char *stub, char *device_function,
    const char *name, int thread_limit, uint3 *thread, uint3 *block, dim3 *block_dim,
    dim3 *grid_dim, int *warp_size)
{
    (void)device_function, (void)thread_limit, (void)thread, (void)block;
    (void)block_dim, (void)grid_dim, (void)warp_size;
    struct rt_function *function = calloc(1, sizeof *function);
    if (function == NULL)
        out_of_memory();
    rt_lock();
    *function = (struct rt_function){.next = functions,
        .module = module_of_handle(handle),
        .stub = stub,
        .name = name,
        .dynamic_shared_max = -1,
        .carveout = -1};
    functions = function;
    rt_unlock();
}

static void register_variable(void **handle, const void *host, const char *name, void **managed)
{
    struct rt_variable *variable = calloc(1, sizeof *variable);
    if (variable == NULL)
        out_of_memory();
    rt_lock();
    *variable = (struct rt_variable){.next = variables,
        .module = module_of_handle(handle),
        .host = host,
        .name = name,
        .managed = managed};
    variables = variable;
    rt_unlock();
}

VGPU_EXPORT void __cudaRegisterVar(void **handle, char *host, char *device_address,
    const char *name, int external, size_t size, int constant, int global)
{
    (void)device_address, (void)external, (void)size, (void)constant, (void)global;
    register_variable(handle, host, name, NULL);
}

VGPU_EXPORT void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address,
    const char *name, int external, size_t size, int constant, int global)
{
    (void)device_address, (void)external, (void)size, (void)constant, (void)global;
    register_variable(handle, host_pointer, name, host_pointer);
}

static cudaError_t init_module(void **handle)
{
    struct rt_module *module = module_of_handle(handle);
    return module == NULL ? cudaErrorInvalidValue : place_managed_variables(module);
}

/* Called before the host first touches a managed variable. */
VGPU_EXPORT char __cudaInitModule(void **handle)
{
    static const struct rt_call call = {"__cudaInitModule", CALL_NEEDS_DEVICE};
    cudaError_t status = rt_enter(&call, __builtin_return_address(0));
    if (status == cudaSuccess)
        status = init_module(handle);
    return rt_leave(status) == cudaSuccess;
}

static void forget_functions(const struct rt_module *module)
{
    for (struct rt_function **at = &functions; *at != NULL;) {
        struct rt_function *function = *at;
        if (function->module == module) {
            *at = function->next;
            free(function);
        } else {
            at = &function->next;
        }
    }
}

static void forget_variables(const struct rt_module *module)
{
    for (struct rt_variable **at = &variables; *at != NULL;) {
        struct rt_variable *variable = *at;
        if (variable->module == module) {
            *at = variable->next;
            free(variable);
        } else {
            at = &variable->next;
        }
    }
}

VGPU_EXPORT void __cudaUnregisterFatBinary(void **handle)
{
    rt_lock();
    struct rt_module *module = module_of_handle(handle);
    if (module != NULL) {
        rt_drop_queued(); /* on a GPU, too, nothing promises that unfinished work still runs */
        forget_functions(module);
        forget_variables(module);
        unload(module);
        for (struct rt_module **at = &modules; *at != NULL; at = &(*at)->next)
            if (*at == module) {
                *at = module->next;
                break;
            }
        free(module);
    }
    rt_unlock();
}

/* A variable that the host defines and the device may use (-rdc). Nothing to do: -rdc is not
 * supported, and its other entry points say so. */
VGPU_EXPORT void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
    (void)handle, (void)name, (void)host, (void)size;
}
