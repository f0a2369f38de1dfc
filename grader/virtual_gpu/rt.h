/* What the files of the runtime API share: entering a call, threads, devices, streams, events.
 *
 * Every exported function is made by one of the API macros below. It takes the lock, is refused
 * where the real runtime refuses it (a lost device, a stream capture, a host function, a failure
 * that VGPU_FAIL asks for), evaluates one expression, and remembers the error for
 * cudaGetLastError. The functions behind the expressions call each other, never the exported ones:
 * a grader may define those itself.
 */
#ifndef VIRTUAL_GPU_RT_H
#define VIRTUAL_GPU_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "clock.h"
#include "device.h"
#include "engine.h"

/* CUDA 12 renames these by macros. Here each name is written as the symbol that it means. */
#undef cudaGetDeviceProperties
#undef cudaStreamGetCaptureInfo
#undef cudaEventElapsedTime
#undef cudaGraphInstantiate

#define VGPU_EXPORT __attribute__((visibility("default")))

enum rt_trait {
    CALL_NEEDS_DEVICE = 1,      /* starts the device; refused once it is lost */
    CALL_UNSAFE_IN_CAPTURE = 2, /* a capture in the global mode does not survive it */
    CALL_PER_THREAD = 4,        /* stream 0 means the thread's own default stream */
};

struct rt_call {
    const char *name;
    unsigned traits;
};

/* Takes the lock and returns cudaSuccess, or the error with which the call is refused. */
cudaError_t rt_enter(const struct rt_call *call, void *caller);
/* Gives the lock back and remembers an error. Must follow every rt_enter. */
cudaError_t rt_leave(cudaError_t status);

#define API_AS(name, called, parameters, traits, expression)                          \
    VGPU_EXPORT cudaError_t name parameters                                           \
    {                                                                                 \
        static const struct rt_call rt_this_call = {called, traits};                  \
        cudaError_t rt_status = rt_enter(&rt_this_call, __builtin_return_address(0)); \
        if (rt_status == cudaSuccess)                                                 \
            rt_status = (expression);                                                 \
        return rt_leave(rt_status);                                                   \
    }

#define API(name, parameters, traits, expression) \
    API_AS(name, #name, parameters, traits, expression)

/* For a symbol that only some toolkits have, whatever their headers make of its name. */
#define API_SYMBOL(symbol, parameters, traits, expression)                  \
    VGPU_EXPORT cudaError_t rt_symbol_##symbol parameters __asm__(#symbol); \
    API_AS(rt_symbol_##symbol, #symbol, parameters, traits, expression)

#define API_SYMBOL_STREAM(symbol, parameters, traits, expression)                          \
    API_SYMBOL(symbol, parameters, traits, expression)                                     \
    VGPU_EXPORT cudaError_t rt_symbol_##symbol##_ptsz parameters __asm__(#symbol "_ptsz"); \
    API_AS(rt_symbol_##symbol##_ptsz, #symbol, parameters, (traits) | CALL_PER_THREAD, expression)

/* A function of a stream, and its twin for code compiled with a default stream per thread. */
#define API_STREAM(name, parameters, traits, expression) \
    API_AS(name, #name, parameters, traits, expression)  \
    API_AS(name##_ptsz, #name, parameters, (traits) | CALL_PER_THREAD, expression)

/* The same for functions that use the default stream without naming it. */
#define API_DEFAULT_STREAM(name, parameters, traits, expression) \
    API_AS(name, #name, parameters, traits, expression)          \
    API_AS(name##_ptds, #name, parameters, (traits) | CALL_PER_THREAD, expression)

/* ---- threads and devices --------------------------------------------------------------------- */

struct rt_stream;
struct rt_op;
struct rt_capture;

struct rt_thread {
    int device;
    cudaError_t last_error;
    unsigned locks; /* how often this thread has taken the lock */
    unsigned depth; /* > 0 inside a call; a call from there comes from a host function */
    const struct rt_call *call;
    void *caller; /* return address of the current call */
    enum cudaStreamCaptureMode capture_mode;
    struct rt_stream *default_stream[DEVICE_COUNT_MAX]; /* made at first use */
};
extern _Thread_local struct rt_thread rt_thread;

struct rt_device {
    struct rt_stream *legacy;
    uint32_t peers_enabled; /* bit i: kernels here may touch device i's memory */
    size_t limit[16];       /* by enum cudaLimit */
    bool limits_known;
};

struct rt_state {
    int devices;
    cudaError_t lost; /* the error that made the device unusable, else cudaSuccess */
    bool started;
    bool eager; /* VGPU_ASYNC=eager: run work when it is submitted */
    struct rt_device device[DEVICE_COUNT_MAX];
    struct rt_stream *streams; /* all live ones, the default ones too */
    struct rt_capture *captures;
};
extern struct rt_state rt_state;

/* The lock around everything. A thread that has it may take it again: a host function may exit. */
void rt_lock(void);
void rt_unlock(void);

/* Order of blocks and warps: 0 forward, 1 reverse, else the seed of a shuffle. */
void rt_use_order(uint64_t order);

/* The device is unusable from here on. */
void rt_lose_device(cudaError_t error);

/* VGPU_FAIL: the error that this call of the function must end with, or cudaSuccess. */
cudaError_t rt_injected_failure(const char *function);

/* The name of an error, as cudaGetErrorName gives it, and the other way (-1 when unknown). */
const char *rt_error_name(cudaError_t error);
int rt_error_by_name(const char *name);

/* ---- streams and events ---------------------------------------------------------------------- */

/* Nodes of a graph, each once. */
struct rt_node;
struct rt_node_set {
    struct rt_node **nodes;
    size_t count;
};

enum rt_stream_kind { STREAM_LEGACY, STREAM_PER_THREAD, STREAM_CREATED };

struct rt_stream {
    struct rt_stream *next;
    enum rt_stream_kind kind;
    int device;
    unsigned flags;
    int priority;
    unsigned long long id;
    unsigned long long number; /* of those that the program made: 1, 2, 3, … */
    struct rt_op *tail;        /* the operation submitted last, or NULL */
    size_t queued;             /* operations not yet run */
    struct rt_capture *capture;
    struct rt_node_set frontier; /* while it captures: what the next node depends on */
    struct cudaAccessPolicyWindow access_policy; /* kept for whoever asks */
    int synchronisation_policy;
};

struct rt_event {
    struct rt_event *next;
    int device;
    unsigned flags;
    struct rt_op *op;            /* the record operation, or NULL before the first */
    bool waited, waited_in_vain; /* after a record; before any */
    bool captured;               /* the last record was made in a capture */
    struct rt_capture *capture;  /* that capture, or NULL once it has ended */
    struct rt_node_set frontier; /* the nodes that the record stands for */
};

/* Finds a stream by its handle: 0, cudaStreamLegacy and cudaStreamPerThread included. NULL for one
 * that does not exist (any more). */
struct rt_stream *rt_find_stream(cudaStream_t handle);
struct rt_stream *rt_new_stream(enum rt_stream_kind kind, int device, unsigned flags, int priority);
struct rt_stream *rt_legacy_stream(int device);
bool rt_stream_blocks(const struct rt_stream *stream); /* takes part in legacy synchronisation */

struct rt_event *rt_find_event(cudaEvent_t handle);
struct rt_event *rt_first_event(void);
/* Reports an event whose waits had no effect; when it ends. */
void rt_event_check(const struct rt_event *event);

/* Adds a node unless the set has it; frees the set's array. */
void rt_node_set_add(struct rt_node_set *set, struct rt_node *node);
void rt_node_set_clear(struct rt_node_set *set);

/* ---- modules, functions, variables ----------------------------------------------------------- */

struct rt_module;

struct rt_function {
    struct rt_function *next;
    struct rt_module *module;
    const void *stub;       /* the host function that stands for the kernel */
    const char *name;       /* mangled */
    int dynamic_shared_max; /* bytes, after cudaFuncSetAttribute; -1: the default */
    int carveout;
    struct engine_kernel *kernel[DEVICE_COUNT_MAX];
};

struct rt_variable {
    struct rt_variable *next;
    struct rt_module *module;
    const void *host; /* the host's shadow of the variable */
    const char *name;
    void **managed; /* where the host keeps the address of a managed variable, else NULL */
};

/* By host stub, or by the handle that __cudaGetKernel gave out; NULL when there is none. */
struct rt_function *rt_find_function(const void *stub_or_handle);
/* The engine's kernel on a device, loading the module when needed. NULL, with the error and a
 * message on stderr, when its PTX cannot be had. */
struct engine_kernel *rt_kernel(struct rt_function *function, int device, cudaError_t *error);
const char *rt_kernel_name(struct rt_function *function, int device);
size_t rt_dynamic_shared_limit(
    const struct rt_function *function, const struct engine_kernel_info *info);

/* A variable by its host shadow on the current device. */
cudaError_t rt_find_symbol(const void *symbol, const struct engine_variable **found);

/* ---- findings -------------------------------------------------------------------------------- */

/* Something the runtime itself noticed. `word` is a stable name: "leak", "copy", "launch", … */
__attribute__((format(printf, 3, 4))) void rt_finding(
    const char *word, enum finding_severity severity, const char *format, ...);

#endif
