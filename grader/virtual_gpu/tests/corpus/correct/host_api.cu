/* The host's side: streams, events, graphs, host functions, pitched and managed memory. */
#include "../corpus.h"

enum { N = 1000 };

__global__ void scale_kernel(int *values, int n, int factor, int offset)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        values[i] = values[i] * factor + offset;
}

static void launch_scale(int *values, int factor, int offset, cudaStream_t stream)
{
    scale_kernel<<<(N + 127) / 128, 128, 0, stream>>>(values, N, factor, offset);
    OK(cudaGetLastError());
}

__global__ void add_to_kernel(const int *values, int *sums, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = i; k < n; k += (int)(gridDim.x * blockDim.x))
        sums[k] += values[k];
}

/* ---- streams and events ---------------------------------------------------------------------- */

static void streams_with_events(void)
{
    int *pinned, *a = device_array<int>(N);
    cudaStream_t first, second;
    cudaEvent_t copied, scaled;
    OK(cudaMallocHost((void **)&pinned, N * sizeof(int)));
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(cudaEventCreate(&copied));
    OK(cudaEventCreateWithFlags(&scaled, cudaEventDisableTiming));
    for (int i = 0; i < N; i++)
        pinned[i] = i;
    OK(cudaMemcpyAsync(a, pinned, N * sizeof(int), cudaMemcpyHostToDevice, first));
    OK(cudaEventRecord(copied, first));
    OK(cudaStreamWaitEvent(second, copied, 0));
    launch_scale(a, 3, 1, second);
    OK(cudaEventRecord(scaled, second));
    OK(cudaStreamWaitEvent(first, scaled, 0));
    launch_scale(a, 2, 0, first);
    OK(cudaMemcpyAsync(pinned, a, N * sizeof(int), cudaMemcpyDeviceToHost, first));
    OK(cudaStreamSynchronize(first));
    for (int i = 0; i < N; i++)
        EXPECT(pinned[i] == 6 * i + 2);
    digest(pinned, N * sizeof(int));
    OK(cudaEventDestroy(copied));
    OK(cudaEventDestroy(scaled));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaFree(a));
    OK(cudaFreeHost(pinned));
}

/* Pieces of an array go round in three streams. */
static void pieces_in_streams(void)
{
    enum { PIECES = 10, STREAMS = 3, PIECE = N / PIECES };
    cudaStream_t streams[STREAMS];
    int *pinned, *a = device_array<int>(N);
    OK(cudaMallocHost((void **)&pinned, N * sizeof(int)));
    for (cudaStream_t &stream : streams)
        OK(cudaStreamCreate(&stream));
    for (int i = 0; i < N; i++)
        pinned[i] = i;
    for (int p = 0; p < PIECES; p++) {
        cudaStream_t stream = streams[p % STREAMS];
        int *host = pinned + p * PIECE, *device = a + p * PIECE;
        OK(cudaMemcpyAsync(device, host, PIECE * sizeof(int), cudaMemcpyHostToDevice, stream));
        scale_kernel<<<2, 64, 0, stream>>>(device, PIECE, 5, p);
        OK(cudaMemcpyAsync(host, device, PIECE * sizeof(int), cudaMemcpyDeviceToHost, stream));
    }
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        EXPECT(pinned[i] == 5 * i + i / PIECE);
    for (cudaStream_t stream : streams)
        OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
    OK(cudaFreeHost(pinned));
}

/* Two buffers go round; the first round waits for events that were not recorded yet. */
static void buffers_that_go_round(void)
{
    enum { ROUNDS = 6, PIECE = N / ROUNDS };
    cudaStream_t copies, kernels;
    cudaEvent_t filled[2], used[2];
    int *pinned, *buffers[2], *sums = device_zeros<int>(PIECE), got[PIECE];
    OK(cudaMallocHost((void **)&pinned, N * sizeof(int)));
    OK(cudaStreamCreate(&copies));
    OK(cudaStreamCreate(&kernels));
    for (int i = 0; i < N; i++)
        pinned[i] = i;
    for (int b = 0; b < 2; b++) {
        OK(cudaEventCreateWithFlags(&filled[b], cudaEventDisableTiming));
        OK(cudaEventCreateWithFlags(&used[b], cudaEventDisableTiming));
        buffers[b] = device_array<int>(PIECE);
    }
    for (int round = 0; round < ROUNDS; round++) {
        const int b = round % 2;
        OK(cudaStreamWaitEvent(copies, used[b], 0));
        OK(cudaMemcpyAsync(buffers[b], pinned + round * PIECE, PIECE * sizeof(int),
            cudaMemcpyHostToDevice, copies));
        OK(cudaEventRecord(filled[b], copies));
        OK(cudaStreamWaitEvent(kernels, filled[b], 0));
        add_to_kernel<<<2, 128, 0, kernels>>>(buffers[b], sums, PIECE);
        OK(cudaEventRecord(used[b], kernels));
    }
    OK(cudaDeviceSynchronize());
    take(got, sums, PIECE);
    for (int i = 0; i < PIECE; i++)
        EXPECT(got[i] == ROUNDS * i + PIECE * ROUNDS * (ROUNDS - 1) / 2);
    digest(got, sizeof got);
    for (int b = 0; b < 2; b++) {
        OK(cudaEventDestroy(filled[b]));
        OK(cudaEventDestroy(used[b]));
        OK(cudaFree(buffers[b]));
    }
    OK(cudaStreamDestroy(copies));
    OK(cudaStreamDestroy(kernels));
    OK(cudaFreeHost(pinned));
}

static void elapsed_time(void)
{
    int *a = device_zeros<int>(N);
    cudaEvent_t start, stop;
    float ms = -1;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start, 0));
    launch_scale(a, 1, 1, 0);
    OK(cudaEventRecord(stop, 0));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0 && ms < 1000);
    OK(cudaEventQuery(stop));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaFree(a));
}

/* ---- host functions -------------------------------------------------------------------------- */

struct note {
    const int *values;
    long sum;
};

static void CUDART_CB add_up(void *data)
{
    struct note *note = (struct note *)data;
    note->sum = 0;
    for (int i = 0; i < N; i++)
        note->sum += note->values[i];
}

static void host_function_in_a_stream(void)
{
    int *pinned, *a = device_zeros<int>(N);
    cudaStream_t stream;
    OK(cudaMallocHost((void **)&pinned, N * sizeof(int)));
    OK(cudaStreamCreate(&stream));
    struct note note = {pinned, -1};
    launch_scale(a, 0, 7, stream);
    OK(cudaMemcpyAsync(pinned, a, N * sizeof(int), cudaMemcpyDeviceToHost, stream));
    OK(cudaLaunchHostFunc(stream, add_up, &note));
    OK(cudaStreamSynchronize(stream));
    EXPECT(note.sum == 7 * N);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
    OK(cudaFreeHost(pinned));
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void captured_graph(void)
{
    int *a = device_zeros<int>(N), got[N];
    cudaStream_t stream, side;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    size_t nodes = 0;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreate(&side));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_scale(a, 2, 1, stream);
    OK(cudaEventRecord(fork, stream));
    OK(cudaStreamWaitEvent(side, fork, 0));
    scale_kernel<<<4, 128, 0, side>>>(a + N / 2, N - N / 2, 1, 100);
    scale_kernel<<<4, 128, 0, stream>>>(a, N / 2, 1, 200);
    OK(cudaEventRecord(join, side));
    OK(cudaStreamWaitEvent(stream, join, 0));
    launch_scale(a, 1, 1, stream);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    EXPECT(nodes == 4);
    OK(cudaGraphInstantiateWithFlags(&ready, graph, 0));
    for (int round = 0; round < 3; round++)
        OK(cudaGraphLaunch(ready, stream));
    OK(cudaStreamSynchronize(stream));
    take(got, a, N);
    for (int i = 0; i < N; i++) {
        int want = 0;
        for (int round = 0; round < 3; round++)
            want = 2 * want + 1 + (i < N / 2 ? 200 : 100) + 1;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaGraphExecDestroy(ready));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    OK(cudaStreamDestroy(side));
    OK(cudaStreamDestroy(stream));
}

static void graph_built_by_hand(void)
{
    int *a = device_array<int>(N), got[N], n = N, factor = 3, offset = 4;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaGraphNode_t fill, scale, copy;
    OK(cudaGraphCreate(&graph, 0));
    struct cudaMemsetParams zeros;
    memset(&zeros, 0, sizeof zeros);
    zeros.dst = a;
    zeros.value = 1;
    zeros.elementSize = 4;
    zeros.width = N;
    zeros.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &zeros));
    void *arguments[] = {&a, &n, &factor, &offset};
    struct cudaKernelNodeParams call;
    memset(&call, 0, sizeof call);
    call.func = (void *)scale_kernel;
    call.gridDim = dim3((N + 127) / 128);
    call.blockDim = dim3(128);
    call.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&scale, graph, &fill, 1, &call));
    OK(cudaGraphAddMemcpyNode1D(
        &copy, graph, &scale, 1, got, a, N * sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiateWithFlags(&ready, graph, 0));
    OK(cudaGraphLaunch(ready, 0));
    OK(cudaStreamSynchronize(0));
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == 7);
    factor = 10;
    OK(cudaGraphExecKernelNodeSetParams(ready, scale, &call));
    OK(cudaGraphLaunch(ready, 0));
    OK(cudaStreamSynchronize(0));
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == 14);
    digest(got, sizeof got);
    OK(cudaGraphExecDestroy(ready));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(a));
}

/* A captured copy is found again by where it begins, and sent elsewhere. */
static void copies_that_are_looked_up(void)
{
    const int want[4] = {1, 2, 3, 4};
    int *a = device_copy(want, 4), *pinned;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaGraphNode_t node;
    size_t count = 1;
    struct cudaMemcpy3DParms found;
    OK(cudaMallocHost((void **)&pinned, 8 * sizeof(int)));
    memset(pinned, 0, 8 * sizeof(int));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyAsync(pinned, a, 4 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, &node, &count));
    OK(cudaGraphMemcpyNodeGetParams(node, &found));
    EXPECT(found.srcPtr.ptr == a && found.dstPtr.ptr == pinned);
    EXPECT(found.extent.width == 4 * sizeof(int) && found.extent.height == 1);
    EXPECT(found.kind == cudaMemcpyDeviceToHost);
    OK(cudaGraphInstantiateWithFlags(&ready, graph, 0));
    OK(cudaGraphLaunch(ready, stream));
    found.dstPtr.ptr = pinned + 4;
    OK(cudaGraphExecMemcpyNodeSetParams(ready, node, &found));
    OK(cudaGraphLaunch(ready, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT_SAME(pinned, want, 4);
    EXPECT_SAME(pinned + 4, want, 4);
    digest(pinned, 8 * sizeof(int));
    OK(cudaGraphExecDestroy(ready));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(a));
}

#if CUDART_VERSION >= 12020
static cudaGraphNode_t node_of_any_kind(
    cudaGraph_t graph, cudaGraphNode_t *before, struct cudaGraphNodeParams *parameters)
{
    cudaGraphNode_t made = NULL;
#if CUDART_VERSION >= 13000
    OK(cudaGraphAddNode(&made, graph, before, NULL, before != NULL, parameters));
#else
    OK(cudaGraphAddNode(&made, graph, before, before != NULL, parameters));
#endif
    return made;
}

static void count_up(void *counter)
{
    ++*(int *)counter;
}

static void graph_of_nodes_of_any_kind(void)
{
    int *a = device_array<int>(N), got[N], n = N, factor = 3, offset = 4, calls = 0;
    void *arguments[] = {&a, &n, &factor, &offset};
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    OK(cudaGraphCreate(&graph, 0));
    struct cudaGraphNodeParams fill = {}, scale = {}, copy = {}, call = {}, empty = {};
    fill.type = cudaGraphNodeTypeMemset;
    fill.memset.dst = a;
    fill.memset.value = 1;
    fill.memset.elementSize = 4;
    fill.memset.width = N;
    fill.memset.height = 1;
    scale.type = cudaGraphNodeTypeKernel;
    scale.kernel.func = (void *)scale_kernel;
    scale.kernel.gridDim = dim3((N + 127) / 128);
    scale.kernel.blockDim = dim3(128);
    scale.kernel.kernelParams = arguments;
    copy.type = cudaGraphNodeTypeMemcpy;
    copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(a, sizeof got, N, 1);
    copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(got, sizeof got, N, 1);
    copy.memcpy.copyParams.extent = make_cudaExtent(sizeof got, 1, 1);
    copy.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    call.type = cudaGraphNodeTypeHost;
    call.host.fn = count_up;
    call.host.userData = &calls;
    empty.type = cudaGraphNodeTypeEmpty;
    cudaGraphNode_t node = node_of_any_kind(graph, NULL, &fill);
    node = node_of_any_kind(graph, &node, &scale);
    node = node_of_any_kind(graph, &node, &empty);
    node = node_of_any_kind(graph, &node, &copy);
    node = node_of_any_kind(graph, &node, &call);
    OK(cudaGraphInstantiateWithFlags(&ready, graph, 0));
    OK(cudaGraphLaunch(ready, 0));
    OK(cudaStreamSynchronize(0));
    EXPECT(calls == 1);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == 7);
    digest(got, sizeof got);
    OK(cudaGraphExecDestroy(ready));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(a));
}
#else
static void graph_of_nodes_of_any_kind(void)
{
}
#endif

/* ---- memory ---------------------------------------------------------------------------------- */

__global__ void pitched_kernel(char *base, size_t pitch, int width, int height)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < width && y < height)
        *(float *)(base + (size_t)y * pitch + (size_t)x * sizeof(float)) *= (float)y;
}

static void pitched_memory(void)
{
    enum { WIDTH = 33, HEIGHT = 17 };
    float in[HEIGHT][WIDTH], got[HEIGHT][WIDTH];
    void *base;
    size_t pitch;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            in[y][x] = (float)(x + 1);
    OK(cudaMallocPitch(&base, &pitch, sizeof in[0], HEIGHT));
    OK(cudaMemcpy2D(base, pitch, in, sizeof in[0], sizeof in[0], HEIGHT, cudaMemcpyHostToDevice));
    pitched_kernel<<<dim3(2, 3), dim3(32, 8)>>>((char *)base, pitch, WIDTH, HEIGHT);
    FINISH();
    OK(cudaMemcpy2D(
        got, sizeof got[0], base, pitch, sizeof got[0], HEIGHT, cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            EXPECT(got[y][x] == (float)(y * (x + 1)));
    digest(got, sizeof got);
    OK(cudaFree(base));
}

static void managed_memory(void)
{
    int *a;
    OK(cudaMallocManaged((void **)&a, N * sizeof(int)));
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int round = 0; round < 3; round++) {
        launch_scale(a, 2, 0, 0);
        OK(cudaDeviceSynchronize());
        for (int i = 0; i < N; i++)
            a[i]++;
    }
    for (int i = 0; i < N; i++)
        EXPECT(a[i] == 8 * i + 7);
    digest(a, N * sizeof(int));
    OK(cudaFree(a));
}

static void memory_from_a_stream(void)
{
    cudaStream_t stream;
    int *a, *mapped, *device_view, got[N];
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocAsync((void **)&a, N * sizeof(int), stream));
    OK(cudaMemsetAsync(a, 0, N * sizeof(int), stream));
    launch_scale(a, 1, 9, stream);
    OK(cudaMemcpyAsync(got, a, N * sizeof(int), cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(a, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(got[0] == 9 && got[N - 1] == 9);
    OK(cudaHostAlloc((void **)&mapped, N * sizeof(int), cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer((void **)&device_view, mapped, 0));
    for (int i = 0; i < N; i++)
        mapped[i] = -i;
    launch_scale(device_view, -1, 0, stream);
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        EXPECT(mapped[i] == i);
    OK(cudaFreeHost(mapped));
    OK(cudaStreamDestroy(stream));
}

/* A graph may have memory of its own, new in each launch, and may free what was there before. */
static void memory_in_a_graph(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    int *before, *own, got[N];
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocAsync((void **)&before, N * sizeof(int), stream));
    OK(cudaMemsetAsync(before, 0, N * sizeof(int), stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync((void **)&own, N * sizeof(int), stream));
    OK(cudaMemcpyAsync(own, before, N * sizeof(int), cudaMemcpyDeviceToDevice, stream));
    launch_scale(own, 1, 5, stream);
    OK(cudaMemcpyAsync(got, own, N * sizeof(int), cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(own, stream));
    OK(cudaFreeAsync(before, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiateWithFlags(&ready, graph, 0));
    OK(cudaGraphLaunch(ready, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(got[0] == 5 && got[N - 1] == 5);
    digest(got, sizeof got);
    OK(cudaGraphExecDestroy(ready));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

/* ---- what the host may ask ------------------------------------------------------------------- */

__global__ void big_tile_kernel(int *out)
{
    extern __shared__ int tile[];
    for (int i = (int)threadIdx.x; i < 20000; i += (int)blockDim.x)
        tile[i] = i;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = tile[19999];
}

static void questions_and_limits(void)
{
    struct cudaDeviceProp properties;
    struct cudaFuncAttributes attributes;
    int *out = device_array<int>(1), got, blocks = 0;
    OK(cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    OK(cudaFuncGetAttributes(&attributes, big_tile_kernel));
    EXPECT(attributes.maxThreadsPerBlock >= 128 && attributes.sharedSizeBytes == 0);
    OK(cudaFuncSetAttribute(
        big_tile_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 20000 * (int)sizeof(int)));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, big_tile_kernel, 128, 20000 * sizeof(int)));
    EXPECT(blocks >= 1);
    big_tile_kernel<<<1, 128, 20000 * sizeof(int)>>>(out);
    FINISH();
    take(&got, out, 1);
    EXPECT(got == 19999);
    digest(&got, sizeof got);
}

/* An error that is expected is fetched, and nothing is left of it. */
static void errors_that_are_handled(void)
{
    int *a = NULL, device = -1;
    EXPECT(cudaMalloc((void **)&a, (size_t)1 << 60) == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaSetDevice(77) == cudaErrorInvalidDevice);
    (void)cudaGetLastError();
    OK(cudaFree(NULL));
    OK(cudaGetDevice(&device));
    EXPECT(device == 0);
    EXPECT(cudaStreamQuery(0) == cudaSuccess);
}

CORPUS_MAIN(CASE(streams_with_events), CASE(pieces_in_streams), CASE(buffers_that_go_round),
    CASE(elapsed_time), CASE(host_function_in_a_stream), CASE(captured_graph),
    CASE(graph_built_by_hand), CASE(copies_that_are_looked_up), CASE(graph_of_nodes_of_any_kind),
    CASE(pitched_memory), CASE(managed_memory), CASE(memory_from_a_stream), CASE(memory_in_a_graph),
    CASE(questions_and_limits), CASE(errors_that_are_handled))
