/* The calls of the CUDA runtime that the ledger records. Defined in the executable, they are found
 * before the runtime's own, also by a candidate that is opened with RTLD_LOCAL; each forwards to
 * the next definition in the search order, which is the runtime's (or the virtual GPU's).
 *
 * The names that end in _ptsz or _ptds are what nvcc makes of a name under
 * -default-stream per-thread. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "device.h"
#include "forward.h"
#include "restricted.h"
#include "virtual_calls.h"

void *runtime_function(void **slot, const char *name)
{
    void *function = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    }
    if (!function)
        fprintf(stderr, "grader: this CUDA runtime has no %s\n", name);
    return function;
}

/* FORWARD (forward.h) for calls that get memory, and for those that free it. */
#define FORWARD_ALLOCATION(function, arguments, where, size, is_pinned)                        \
    RUNTIME(function);                                                                         \
    if (!ledger_enter())                                                                       \
        return next arguments;                                                                 \
    const uint64_t start_ns = device_now_ns();                                                 \
    const cudaError_t status = ledger_must_fail(size) ? out_of_memory() : next arguments;      \
    if (status == cudaSuccess)                                                                 \
        ledger_note_allocation(                                                                \
            &(struct allocation_note){*(where), size, is_pinned}, device_now_ns() - start_ns); \
    ledger_note_status(NAME(function), status);                                                \
    ledger_leave();                                                                            \
    return status

/* Memory that the candidate did not allocate is not its to free: it may be an argument. */
#define FORWARD_FREE(function, arguments, pointer)                 \
    RUNTIME(function);                                             \
    struct allocation_note note;                                   \
    if (!ledger_enter())                                           \
        return next arguments;                                     \
    if ((pointer) != NULL && !ledger_take(pointer, &note)) {       \
        ledger_note_foreign_free();                                \
        ledger_note_status(NAME(function), cudaErrorInvalidValue); \
        ledger_leave();                                            \
        return cudaErrorInvalidValue;                              \
    }                                                              \
    const cudaError_t status = next arguments;                     \
    if ((pointer) != NULL && status != cudaSuccess)                \
        ledger_untake(&note);                                      \
    else if ((pointer) != NULL)                                    \
        ledger_note_free();                                        \
    ledger_note_status(NAME(function), status);                    \
    ledger_leave();                                                \
    return status

/* Fails as the runtime does, which also sets the last error: by asking it for too much. */
static cudaError_t out_of_memory(void)
{
    void *none = NULL;

    (void)cudaMalloc(&none, (size_t)1 << 62);
    return cudaErrorMemoryAllocation;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    FORWARD_ALLOCATION(cudaMalloc, (pointer, bytes), pointer, bytes, false);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    FORWARD_ALLOCATION(cudaMallocManaged, (pointer, bytes, flags), pointer, bytes, false);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    FORWARD_ALLOCATION(
        cudaMallocPitch, (pointer, pitch, width, height), pointer, width * height, false);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    FORWARD_ALLOCATION(cudaMallocHost, (pointer, bytes), pointer, bytes, true);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    FORWARD_ALLOCATION(cudaHostAlloc, (pointer, bytes, flags), pointer, bytes, true);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    FORWARD(cudaHostRegister, (pointer, bytes, flags), ledger_note_registered(status, bytes));
}

cudaError_t cudaFree(void *pointer)
{
    FORWARD_FREE(cudaFree, (pointer), pointer);
}

cudaError_t cudaFreeHost(void *pointer)
{
    FORWARD_FREE(cudaFreeHost, (pointer), pointer);
}

/* Called while nothing is recorded, so these two only forward. */
void runtime_free(const struct allocation_note *note)
{
    (void)(note->pinned ? cudaFreeHost(note->pointer) : cudaFree(note->pointer));
}

static size_t extent_bytes(struct cudaExtent extent)
{
    return extent.width * extent.height * extent.depth;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *made, struct cudaExtent extent)
{
    FORWARD_ALLOCATION(cudaMalloc3D, (made, extent), &made->ptr, extent_bytes(extent), false);
}

#define DEFINE_POOL_ALLOCATION(function)                                                        \
    cudaError_t function(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) \
    {                                                                                           \
        FORWARD_ALLOCATION(function, (pointer, bytes, pool, stream), pointer, bytes, false);    \
    }

DEFINE_POOL_ALLOCATION(cudaMallocFromPoolAsync)
DEFINE_POOL_ALLOCATION(cudaMallocFromPoolAsync_ptsz)

#define DEFINE_ASYNC_MEMORY(allocate, release)                                         \
    cudaError_t allocate(void **pointer, size_t bytes, cudaStream_t stream)            \
    {                                                                                  \
        FORWARD_ALLOCATION(allocate, (pointer, bytes, stream), pointer, bytes, false); \
    }                                                                                  \
    cudaError_t release(void *pointer, cudaStream_t stream)                            \
    {                                                                                  \
        FORWARD_FREE(release, (pointer, stream), pointer);                             \
    }

DEFINE_ASYNC_MEMORY(cudaMallocAsync, cudaFreeAsync)
DEFINE_ASYNC_MEMORY(cudaMallocAsync_ptsz, cudaFreeAsync_ptsz)

static enum cudaMemoryType memory_type(const void *pointer)
{
    static void *slot;
    struct cudaPointerAttributes attributes = {.type = cudaMemoryTypeUnregistered};
    cudaError_t (*ask)(struct cudaPointerAttributes *, const void *) =
        (__typeof__(ask))runtime_function(&slot, "cudaPointerGetAttributes");

    return ask && ask(&attributes, pointer) == cudaSuccess ? attributes.type
                                                           : cudaMemoryTypeUnregistered;
}

static bool on_device(const void *pointer)
{
    const enum cudaMemoryType type = memory_type(pointer);
    return type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged;
}

static enum cudaMemcpyKind actual_kind(enum cudaMemcpyKind kind, const void *to, const void *from)
{
    static const enum cudaMemcpyKind kinds[2][2] = {/* [from the device][to the device] */
        {cudaMemcpyHostToHost, cudaMemcpyHostToDevice},
        {cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice}};

    return kind == cudaMemcpyDefault ? kinds[on_device(from)][on_device(to)] : kind;
}

/* What is copied; NULL where that is not there yet: a copy to pinned memory is only queued. Nobody
 * is asked where nobody knows who wrote it. */
static const void *contents_of(const void *from, const void *to, bool queued)
{
    if (!virtual_calls()->written_by)
        return NULL;
    return queued && memory_type(to) == cudaMemoryTypeHost ? NULL : from;
}

#define NOTE_COPY(queued, rows, row_bytes)                                                     \
    ledger_note_copy(status, kind, actual_kind(kind, to, from), contents_of(from, to, queued), \
        (rows) * (row_bytes))

#define DEFINE_COPY(function, function_2d)                                                   \
    cudaError_t function(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) \
    {                                                                                        \
        FORWARD(function, (to, from, bytes, kind), NOTE_COPY(false, 1, bytes));              \
    }                                                                                        \
    cudaError_t function_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,  \
        size_t width, size_t height, enum cudaMemcpyKind kind)                               \
    {                                                                                        \
        FORWARD(function_2d, (to, to_pitch, from, from_pitch, width, height, kind),          \
            NOTE_COPY(false, height, width));                                                \
    }

DEFINE_COPY(cudaMemcpy, cudaMemcpy2D)
DEFINE_COPY(cudaMemcpy_ptds, cudaMemcpy2D_ptds)

#define DEFINE_ASYNC_COPY(function, function_2d)                                                 \
    cudaError_t function(                                                                        \
        void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) \
    {                                                                                            \
        FORWARD(function, (to, from, bytes, kind, stream), NOTE_COPY(true, 1, bytes));           \
    }                                                                                            \
    cudaError_t function_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,      \
        size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)              \
    {                                                                                            \
        FORWARD(function_2d, (to, to_pitch, from, from_pitch, width, height, kind, stream),      \
            NOTE_COPY(true, height, width));                                                     \
    }

DEFINE_ASYNC_COPY(cudaMemcpyAsync, cudaMemcpy2DAsync)
DEFINE_ASYNC_COPY(cudaMemcpyAsync_ptsz, cudaMemcpy2DAsync_ptsz)

cudaError_t cudaDeviceSynchronize(void)
{
    FORWARD(cudaDeviceSynchronize, (), ledger_note_synchronisation());
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    FORWARD(cudaEventSynchronize, (event), ledger_note_synchronisation());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    FORWARD(cudaStreamSynchronize, (stream), ledger_note_synchronisation());
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
    FORWARD(cudaStreamSynchronize_ptsz, (stream), ledger_note_synchronisation());
}

/* The device that runs what the stream gets; -1 where the runtime cannot say. With one device nothing
 * is asked: launches are timed. */
static int device_of(cudaStream_t stream)
{
    static int devices;
    static cudaError_t (*ask_current)(int *), (*ask_stream)(cudaStream_t, int *);
    int device = -1;

    if (devices == 0) {
        cudaError_t (*count)(int *);
        *(void **)&count = dlsym(RTLD_NEXT, "cudaGetDeviceCount");
        *(void **)&ask_current = dlsym(RTLD_NEXT, "cudaGetDevice");
        *(void **)&ask_stream = dlsym(RTLD_NEXT, "cudaStreamGetDevice"); /* from CUDA 12.8 on */
        if (!count || !ask_current || count(&devices) != cudaSuccess)
            return -1;
    }
    if (devices == 1)
        return 0;
    const cudaError_t status =
        stream && ask_stream ? ask_stream(stream, &device) : ask_current(&device);
    return status == cudaSuccess ? device : -1;
}

/* `kernel` is the address of the host stub, or, for __cudaLaunchKernel, which only the code that
 * nvcc 13 generates calls, a cudaKernel_t: a pointer too. */
#define DEFINE_LAUNCH(function)                                                        \
    cudaError_t function(const void *kernel, dim3 grid, dim3 block, void **arguments,  \
        size_t shared_bytes, cudaStream_t stream)                                      \
    {                                                                                  \
        FORWARD(function, (kernel, grid, block, arguments, shared_bytes, stream),      \
            ledger_note_launch(status, grid, block, shared_bytes, device_of(stream))); \
    }

DEFINE_LAUNCH(cudaLaunchKernel)
DEFINE_LAUNCH(cudaLaunchKernel_ptsz)
DEFINE_LAUNCH(__cudaLaunchKernel)
DEFINE_LAUNCH(__cudaLaunchKernel_ptsz)

/* ---- cooperative launches, and a device that has none ---------------------------------------- */

/* A refused launch also sets the last error; which one it is matters less. */
static cudaError_t not_supported(void)
{
    if (ledger_enter()) {
        (void)out_of_memory();
        ledger_leave();
    }
    return cudaErrorNotSupported;
}

#define DEFINE_COOPERATIVE_LAUNCH(function)                                            \
    cudaError_t function(const void *kernel, dim3 grid, dim3 block, void **arguments,  \
        size_t shared_bytes, cudaStream_t stream)                                      \
    {                                                                                  \
        if (is_restricted(NO_COOPERATIVE_LAUNCH))                                      \
            return not_supported();                                                    \
        FORWARD(function, (kernel, grid, block, arguments, shared_bytes, stream),      \
            (ledger_note_launch(status, grid, block, shared_bytes, device_of(stream)), \
                ledger_note_cooperative(status)));                                     \
    }

DEFINE_COOPERATIVE_LAUNCH(cudaLaunchCooperativeKernel)
DEFINE_COOPERATIVE_LAUNCH(cudaLaunchCooperativeKernel_ptsz)

static bool is_cooperative(const cudaLaunchConfig_t *configuration)
{
    for (unsigned i = 0; i < configuration->numAttrs; i++)
        if (configuration->attrs[i].id == cudaLaunchAttributeCooperative &&
            configuration->attrs[i].val.cooperative)
            return true;
    return false;
}

static void note_configured_launch(cudaError_t status, const cudaLaunchConfig_t *configuration)
{
    ledger_note_launch(status, configuration->gridDim, configuration->blockDim,
        configuration->dynamicSmemBytes, device_of(configuration->stream));
    if (is_cooperative(configuration))
        ledger_note_cooperative(status);
}

#define DEFINE_CONFIGURED_LAUNCH(function)                                             \
    cudaError_t function(                                                              \
        const cudaLaunchConfig_t *configuration, const void *kernel, void **arguments) \
    {                                                                                  \
        if (is_restricted(NO_COOPERATIVE_LAUNCH) && is_cooperative(configuration))     \
            return not_supported();                                                    \
        FORWARD(function, (configuration, kernel, arguments),                          \
            note_configured_launch(status, configuration));                            \
    }

DEFINE_CONFIGURED_LAUNCH(cudaLaunchKernelExC)
DEFINE_CONFIGURED_LAUNCH(cudaLaunchKernelExC_ptsz)

/* A kernel that is put into a graph counts as one that is captured does: once, for the device that is
 * current. */
static void note_kernel_node(cudaError_t status, const struct cudaKernelNodeParams *kernel)
{
    if (kernel)
        ledger_note_launch(
            status, kernel->gridDim, kernel->blockDim, kernel->sharedMemBytes, device_of(NULL));
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
    const cudaGraphNode_t *needs, size_t count, const struct cudaKernelNodeParams *kernel)
{
    FORWARD(cudaGraphAddKernelNode, (node, graph, needs, count, kernel),
        note_kernel_node(status, kernel));
}

#if CUDART_VERSION >= 12020
static void note_node(cudaError_t status, const struct cudaGraphNodeParams *node)
{
    if (node && node->type == cudaGraphNodeTypeKernel)
        note_kernel_node(status, &(struct cudaKernelNodeParams){.gridDim = node->kernel.gridDim,
                                     .blockDim = node->kernel.blockDim,
                                     .sharedMemBytes = node->kernel.sharedMemBytes});
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
    const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *parameters)
{
    FORWARD(cudaGraphAddNode, (node, graph, needs, edges, count, parameters),
        note_node(status, parameters));
}
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *needs,
    size_t count, struct cudaGraphNodeParams *parameters)
{
    FORWARD(
        cudaGraphAddNode, (node, graph, needs, count, parameters), note_node(status, parameters));
}
#endif
#endif

/* ---- streams, events, graphs ----------------------------------------------------------------- */

#define DEFINE_MAKER(function, parameters, arguments, kind)             \
    cudaError_t function parameters                                     \
    {                                                                   \
        FORWARD(function, arguments, ledger_note_made(status, (kind))); \
    }

#define DEFINE_DESTROYER(function, type, kind)                              \
    cudaError_t function(type handle)                                       \
    {                                                                       \
        FORWARD(function, (handle), ledger_note_destroyed(status, (kind))); \
    }

DEFINE_MAKER(cudaStreamCreate, (cudaStream_t * stream), (stream), HANDLE_STREAM)
DEFINE_MAKER(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags),
    HANDLE_STREAM)
DEFINE_MAKER(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
    (stream, flags, priority), HANDLE_STREAM)
DEFINE_DESTROYER(cudaStreamDestroy, cudaStream_t, HANDLE_STREAM)

DEFINE_MAKER(cudaEventCreate, (cudaEvent_t * event), (event), HANDLE_EVENT)
DEFINE_MAKER(
    cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags), HANDLE_EVENT)
DEFINE_DESTROYER(cudaEventDestroy, cudaEvent_t, HANDLE_EVENT)

DEFINE_MAKER(cudaGraphCreate, (cudaGraph_t * graph, unsigned flags), (graph, flags), HANDLE_GRAPH)
DEFINE_MAKER(cudaGraphClone, (cudaGraph_t * copy, cudaGraph_t graph), (copy, graph), HANDLE_GRAPH)
DEFINE_DESTROYER(cudaGraphDestroy, cudaGraph_t, HANDLE_GRAPH)
DEFINE_DESTROYER(cudaGraphExecDestroy, cudaGraphExec_t, HANDLE_EXECUTABLE_GRAPH)
static void note_instantiated(cudaError_t status, cudaGraph_t graph)
{
    static void *slot;
    cudaError_t (*get_roots)(cudaGraph_t, cudaGraphNode_t *, size_t *) =
        (__typeof__(get_roots))runtime_function(&slot, "cudaGraphGetRootNodes");
    size_t roots = 0;

    ledger_note_made(status, HANDLE_EXECUTABLE_GRAPH);
    if (status == cudaSuccess && get_roots && get_roots(graph, NULL, &roots) == cudaSuccess)
        ledger_note_roots(roots);
}

#define DEFINE_INSTANTIATION(function, parameters, arguments)           \
    cudaError_t function parameters                                     \
    {                                                                   \
        FORWARD(function, arguments, note_instantiated(status, graph)); \
    }

DEFINE_INSTANTIATION(cudaGraphInstantiateWithFlags,
    (cudaGraphExec_t * executable, cudaGraph_t graph, unsigned long long flags),
    (executable, graph, flags))
#if CUDART_VERSION >= 12000
DEFINE_INSTANTIATION(cudaGraphInstantiate,
    (cudaGraphExec_t * executable, cudaGraph_t graph, unsigned long long flags),
    (executable, graph, flags))
#else
DEFINE_INSTANTIATION(cudaGraphInstantiate,
    (cudaGraphExec_t * executable, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log,
        size_t log_bytes),
    (executable, graph, error_node, log, log_bytes))
#endif

/* An invalid capture ends without a graph. */
static void note_captured(cudaError_t status, const cudaGraph_t *graph)
{
    if (status == cudaSuccess && *graph)
        ledger_note_made(status, HANDLE_GRAPH);
}

#define DEFINE_CAPTURE(begin, end, launch)                                       \
    cudaError_t begin(cudaStream_t stream, enum cudaStreamCaptureMode mode)      \
    {                                                                            \
        FORWARD(begin, (stream, mode), ledger_note_capture(status));             \
    }                                                                            \
    cudaError_t end(cudaStream_t stream, cudaGraph_t *graph)                     \
    {                                                                            \
        FORWARD(end, (stream, graph), note_captured(status, graph));             \
    }                                                                            \
    cudaError_t launch(cudaGraphExec_t executable, cudaStream_t stream)          \
    {                                                                            \
        FORWARD(launch, (executable, stream), ledger_note_graph_launch(status)); \
    }

DEFINE_CAPTURE(cudaStreamBeginCapture, cudaStreamEndCapture, cudaGraphLaunch)
DEFINE_CAPTURE(cudaStreamBeginCapture_ptsz, cudaStreamEndCapture_ptsz, cudaGraphLaunch_ptsz)

/* ---- calls of which only a refusal is noted -------------------------------------------------- */

#define DEFINE_PLAIN(function, parameters, arguments) \
    cudaError_t function parameters                   \
    {                                                 \
        FORWARD(function, arguments, (void)0);        \
    }

/* Those that have a stream, and so two names. */
#define DEFINE_PLAIN_TWICE(function, parameters, arguments) \
    DEFINE_PLAIN(function, parameters, arguments)           \
    DEFINE_PLAIN(function##_ptsz, parameters, arguments)

DEFINE_PLAIN(cudaSetDevice, (int device), (device))
DEFINE_PLAIN(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), (peer, flags))
DEFINE_PLAIN(cudaMemcpyPeer,
    (void *to, int to_device, const void *from, int from_device, size_t bytes),
    (to, to_device, from, from_device, bytes))
DEFINE_PLAIN(cudaMemcpyPeerAsync,
    (void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream),
    (to, to_device, from, from_device, bytes, stream))
DEFINE_PLAIN(cudaMemset, (void *to, int byte, size_t bytes), (to, byte, bytes))
DEFINE_PLAIN(cudaMemset_ptds, (void *to, int byte, size_t bytes), (to, byte, bytes))
DEFINE_PLAIN_TWICE(cudaMemsetAsync, (void *to, int byte, size_t bytes, cudaStream_t stream),
    (to, byte, bytes, stream))
DEFINE_PLAIN_TWICE(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
DEFINE_PLAIN_TWICE(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
    (stream, event, flags))
DEFINE_PLAIN_TWICE(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data),
    (stream, function, data))
