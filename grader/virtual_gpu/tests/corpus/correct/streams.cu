/* Work in several streams that does not meet, or is ordered, in all the ways to order it. */
#include "../corpus.h"

enum { N = 4001, HALF = N / 2 }; /* no multiple of anything */

__global__ void add_kernel(int *cells, int n, int x)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        cells[i] += x;
}

__global__ void add_bytes_kernel(unsigned char *bytes, int n, int x)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        bytes[i] = (unsigned char)(bytes[i] + x);
}

__global__ void sum_kernel(const int *cells, int n, int *sum)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        atomicAdd(sum, cells[i]);
}

static void add(int *cells, int n, int x, cudaStream_t stream)
{
    add_kernel<<<(n + 255) / 256, 256, 0, stream>>>(cells, n, x);
    OK(cudaGetLastError());
}

struct two_streams {
    cudaStream_t a, b;
};

static struct two_streams make_streams(unsigned flags)
{
    struct two_streams both;
    OK(cudaStreamCreateWithFlags(&both.a, flags));
    OK(cudaStreamCreateWithFlags(&both.b, flags));
    return both;
}

static void end_streams(struct two_streams both)
{
    OK(cudaStreamDestroy(both.a));
    OK(cudaStreamDestroy(both.b));
}

static void expect_all(int *d, int n, int value)
{
    int *got = (int *)malloc((size_t)n * sizeof *got);
    take(got, d, (size_t)n);
    for (int i = 0; i < n; i++)
        EXPECT(got[i] == value);
    digest(got, (size_t)n * sizeof *got);
    free(got);
}

/* ---- apart ----------------------------------------------------------------------------------- */

static void halves_that_touch(void)
{
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    int *d = device_zeros<int>(N);
    unsigned char *bytes = device_zeros<unsigned char>(N), got[N];
    OK(cudaDeviceSynchronize());
    add(d, HALF, 3, both.a);
    add(d + HALF, N - HALF, 3, both.b);
    add_bytes_kernel<<<20, 256, 0, both.a>>>(bytes, HALF, 5);
    add_bytes_kernel<<<20, 256, 0, both.b>>>(bytes + HALF, N - HALF, 5);
    OK(cudaStreamSynchronize(both.b));
    OK(cudaStreamSynchronize(both.a));
    expect_all(d, N, 3);
    take(got, bytes, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == 5);
    end_streams(both);
}

static void columns_of_a_matrix(void)
{
    enum { ROWS = 16, COLUMNS = 33, LEFT = 10 };
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    const size_t pitch = COLUMNS * sizeof(int);
    int *host = NULL, *d = device_zeros<int>(ROWS * COLUMNS);
    OK(cudaMallocHost((void **)&host, ROWS * pitch));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        host[i] = 7;
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy2DAsync(
        d, pitch, host, pitch, LEFT * sizeof(int), ROWS, cudaMemcpyHostToDevice, both.a));
    OK(cudaMemcpy2DAsync(d + LEFT, pitch, host + LEFT, pitch, (COLUMNS - LEFT) * sizeof(int), ROWS,
        cudaMemcpyHostToDevice, both.b));
    OK(cudaDeviceSynchronize());
    expect_all(d, ROWS * COLUMNS, 7);
    OK(cudaFreeHost(host));
    end_streams(both);
}

static void one_input_and_one_counter(void)
{
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    int *d = device_zeros<int>(N), *sum = device_zeros<int>(1);
    add(d, N, 2, 0);
    OK(cudaDeviceSynchronize());
    sum_kernel<<<20, 256, 0, both.a>>>(d, N, sum);
    sum_kernel<<<20, 256, 0, both.b>>>(d, N, sum);
    OK(cudaDeviceSynchronize());
    expect_all(sum, 1, 4 * N);
    OK(cudaFree(d));
    end_streams(both);
}

/* ---- ordered --------------------------------------------------------------------------------- */

static void by_events_to_and_fro(void)
{
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    cudaEvent_t event;
    int *d = device_zeros<int>(N);
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 10; i++) {
        const cudaStream_t here = i % 2 ? both.a : both.b, there = i % 2 ? both.b : both.a;
        add(d, N, 1, here);
        OK(cudaEventRecord(event, here));
        OK(cudaStreamWaitEvent(there, event, 0));
    }
    OK(cudaDeviceSynchronize());
    expect_all(d, N, 10);
    OK(cudaEventDestroy(event));
    end_streams(both);
}

static void by_the_host(void)
{
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    cudaEvent_t event;
    int *d = device_zeros<int>(N);
    OK(cudaEventCreate(&event));
    OK(cudaDeviceSynchronize());
    add(d, N, 1, both.a);
    OK(cudaStreamSynchronize(both.a));
    add(d, N, 1, both.b);
    OK(cudaEventRecord(event, both.b));
    OK(cudaEventSynchronize(event));
    add(d, N, 1, both.a);
    while (cudaStreamQuery(both.a) == cudaErrorNotReady)
        ;
    add(d, N, 1, both.b);
    OK(cudaDeviceSynchronize());
    (void)cudaGetLastError(); /* of the queries */
    expect_all(d, N, 4);
    OK(cudaEventDestroy(event));
    end_streams(both);
}

static void by_the_default_stream(void)
{
    const struct two_streams both = make_streams(cudaStreamDefault);
    int *d = device_zeros<int>(N);
    add(d, N, 1, both.a);
    add(d, N, 1, 0);
    add(d, N, 1, both.b);
    OK(cudaStreamDestroy(both.b)); /* its work goes on */
    add(d, N, 1, 0);
    OK(cudaMemsetAsync(d + HALF, 0, (N - HALF) * sizeof(int), both.a));
    OK(cudaMemsetAsync(d, 0, HALF * sizeof(int), both.a));
    OK(cudaDeviceSynchronize());
    expect_all(d, N, 0);
    OK(cudaStreamDestroy(both.a));
}

static void CUDART_CB note(void *flag)
{
    *(volatile int *)flag = 1;
}

static void by_a_host_function(void)
{
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    volatile int flag = 0;
    int *d = device_zeros<int>(N);
    OK(cudaDeviceSynchronize());
    add(d, N, 1, both.a);
    OK(cudaLaunchHostFunc(both.a, note, (void *)&flag));
    while (flag == 0)
        (void)cudaStreamQuery(both.a);
    (void)cudaGetLastError();
    add(d, N, 1, both.b);
    OK(cudaDeviceSynchronize());
    expect_all(d, N, 2);
    end_streams(both);
}

/* Two branches of a graph, and a graph that is launched into two streams: its launches queue up. */
static void by_a_graph(void)
{
    const struct two_streams both = make_streams(cudaStreamNonBlocking);
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *d = device_zeros<int>(N);
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamBeginCapture(both.a, cudaStreamCaptureModeGlobal));
    add(d, N, 1, both.a);
    OK(cudaEventRecord(fork, both.a));
    OK(cudaStreamWaitEvent(both.b, fork, 0));
    add(d, HALF, 1, both.a);
    add(d + HALF, N - HALF, 1, both.b);
    OK(cudaEventRecord(join, both.b));
    OK(cudaStreamWaitEvent(both.a, join, 0));
    add(d, N, 1, both.a);
    OK(cudaStreamEndCapture(both.a, &graph));
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, both.a));
    OK(cudaGraphLaunch(exec, both.b));
    OK(cudaDeviceSynchronize());
    expect_all(d, N, 6);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    end_streams(both);
}

/* Three buffers in turn, as many streams, more chunks than both. */
static void a_pipeline_with_buffers_in_turn(void)
{
    enum { STREAMS = 3, CHUNKS = 10, CHUNK = 501 };
    cudaStream_t streams[STREAMS];
    int *host = NULL, *d = device_zeros<int>(STREAMS * CHUNK);
    OK(cudaMallocHost((void **)&host, CHUNKS * CHUNK * sizeof(int)));
    for (int i = 0; i < CHUNKS * CHUNK; i++)
        host[i] = i;
    for (int i = 0; i < STREAMS; i++)
        OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < CHUNKS; i++) {
        int *chunk = d + i % STREAMS * CHUNK, *home = host + i * CHUNK;
        const cudaStream_t stream = streams[i % STREAMS];
        OK(cudaMemcpyAsync(chunk, home, CHUNK * sizeof(int), cudaMemcpyHostToDevice, stream));
        add(chunk, CHUNK, 1, stream);
        OK(cudaMemcpyAsync(home, chunk, CHUNK * sizeof(int), cudaMemcpyDeviceToHost, stream));
    }
    for (int i = STREAMS - 1; i >= 0; i--)
        OK(cudaStreamSynchronize(streams[i]));
    for (int i = 0; i < CHUNKS * CHUNK; i++)
        EXPECT(host[i] == i + 1);
    for (int i = 0; i < STREAMS; i++)
        OK(cudaStreamDestroy(streams[i]));
    OK(cudaFreeHost(host));
    OK(cudaFree(d));
}

CORPUS_MAIN(CASE(halves_that_touch), CASE(columns_of_a_matrix), CASE(one_input_and_one_counter),
    CASE(by_events_to_and_fro), CASE(by_the_host), CASE(by_the_default_stream),
    CASE(by_a_host_function), CASE(by_a_graph), CASE(a_pipeline_with_buffers_in_turn))
