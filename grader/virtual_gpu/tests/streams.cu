/* Streams, events and host functions: what must be ordered is, and what is not ordered comes in the
 * least convenient order. The second half of each pair is the mistake that a student makes. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1 << 12 };

__global__ void add_one_kernel(int *cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i] += 1;
}

__global__ void add_many_kernel(int *cells, int n, int times)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i < n ? cells[i] : 0;
    for (int k = 0; k < times; k++)
        x = x * 3 + k;
    if (i < n)
        cells[i] = x;
}

__global__ void copy_kernel(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void spin_kernel(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

static void launch_add(int *cells, cudaStream_t stream)
{
    add_one_kernel<<<N / 256, 256, 0, stream>>>(cells, N);
}

static bool all_are(const int *cells, int value)
{
    for (int i = 0; i < N; i++)
        if (cells[i] != value)
            return false;
    return true;
}

struct buffers {
    cudaStream_t a, b, aloof;
    cudaEvent_t event;
    int *d, *e, *pinned, *pinned_out;
};

static struct buffers make_buffers(void)
{
    struct buffers all;
    OK(cudaStreamCreate(&all.a));
    OK(cudaStreamCreate(&all.b));
    OK(cudaStreamCreateWithFlags(&all.aloof, cudaStreamNonBlocking));
    OK(cudaEventCreate(&all.event));
    OK(cudaMalloc((void **)&all.d, N * sizeof(int)));
    OK(cudaMalloc((void **)&all.e, N * sizeof(int)));
    OK(cudaMallocHost((void **)&all.pinned, N * sizeof(int)));
    OK(cudaMallocHost((void **)&all.pinned_out, N * sizeof(int)));
    OK(cudaMemset(all.d, 0, N * sizeof(int)));
    OK(cudaMemset(all.e, 0, N * sizeof(int)));
    OK(cudaDeviceSynchronize());
    return all;
}

static void free_buffers(const struct buffers *all)
{
    OK(cudaFree(all->d));
    OK(cudaFree(all->e));
    OK(cudaFreeHost(all->pinned));
    OK(cudaFreeHost(all->pinned_out));
    OK(cudaStreamDestroy(all->a));
    OK(cudaStreamDestroy(all->b));
    OK(cudaStreamDestroy(all->aloof));
    OK(cudaEventDestroy(all->event));
}

static void host_waits(const struct buffers *all)
{
    const size_t bytes = N * sizeof(int);
    memset(all->pinned_out, 0xff, bytes);
    launch_add(all->d, all->a);
    OK(cudaMemcpyAsync(all->pinned_out, all->d, bytes, cudaMemcpyDeviceToHost, all->a));
    CHECK(all_are(all->pinned_out, -1)); /* nobody has waited: the old bytes */
    OK(cudaStreamSynchronize(all->b));
    CHECK(all_are(all->pinned_out, -1)); /* the wrong stream */
    OK(cudaStreamSynchronize(all->a));
    CHECK(all_are(all->pinned_out, 1));
}

static void events_order_streams(const struct buffers *all)
{
    const size_t bytes = N * sizeof(int);
    for (int with_event = 0; with_event < 2; with_event++) {
        OK(cudaMemset(all->d, 0, bytes));
        OK(cudaMemset(all->e, 0xee, bytes));
        OK(cudaDeviceSynchronize());
        launch_add(all->d, all->a);
        OK(cudaEventRecord(all->event, all->a));
        if (with_event)
            OK(cudaStreamWaitEvent(all->b, all->event, 0));
        copy_kernel<<<N / 256, 256, 0, all->b>>>(all->d, all->e, N);
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(all->pinned, all->e, bytes, cudaMemcpyDeviceToHost));
        CHECK(all_are(all->pinned, with_event)); /* without it: what was there before */
    }
}

static void a_wait_before_the_record_is_none(const struct buffers *all)
{
    const size_t bytes = N * sizeof(int);
    cudaEvent_t fresh;
    OK(cudaEventCreate(&fresh));
    OK(cudaMemset(all->d, 0, bytes));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamWaitEvent(all->b, fresh, 0));
    copy_kernel<<<N / 256, 256, 0, all->b>>>(all->d, all->e, N);
    launch_add(all->d, all->a);
    OK(cudaEventRecord(fresh, all->a));
    OK(cudaStreamSynchronize(all->b));
    OK(cudaMemcpyAsync(all->pinned, all->e, bytes, cudaMemcpyDeviceToHost, all->b));
    OK(cudaStreamSynchronize(all->b));
    CHECK(all_are(all->pinned, 0));
    OK(cudaEventDestroy(fresh));
}

static void legacy_stream_joins(const struct buffers *all)
{
    const size_t bytes = N * sizeof(int);
    OK(cudaMemset(all->d, 0, bytes));
    launch_add(all->d, all->a);
    copy_kernel<<<N / 256, 256>>>(all->d, all->e, N); /* waits for a */
    OK(cudaMemcpyAsync(
        all->pinned, all->e, bytes, cudaMemcpyDeviceToHost, all->b)); /* and b for it */
    OK(cudaStreamSynchronize(all->b));
    CHECK(all_are(all->pinned, 1));

    OK(cudaMemset(all->d, 0, bytes));
    OK(cudaDeviceSynchronize());
    launch_add(all->d, all->aloof);
    copy_kernel<<<N / 256, 256>>>(all->d, all->e, N); /* does not wait for a non-blocking stream */
    OK(cudaMemcpy(all->pinned, all->e, bytes, cudaMemcpyDeviceToHost));
    CHECK(all_are(all->pinned, 0));
    OK(cudaDeviceSynchronize());
}

static void sources_are_read_when_the_rules_say(const struct buffers *all)
{
    const size_t bytes = N * sizeof(int);
    int *pageable = (int *)malloc(bytes);
    for (int i = 0; i < N; i++)
        pageable[i] = all->pinned[i] = 7;
    OK(cudaMemcpyAsync(all->d, pageable, bytes, cudaMemcpyHostToDevice, all->a));
    OK(cudaMemcpyAsync(all->e, all->pinned, bytes, cudaMemcpyHostToDevice, all->a));
    for (int i = 0; i < N; i++)
        pageable[i] = all->pinned[i] = 8; /* re-used too early */
    OK(cudaStreamSynchronize(all->a));
    OK(cudaMemcpy(pageable, all->d, bytes, cudaMemcpyDeviceToHost));
    CHECK(all_are(pageable, 7)); /* had been staged */
    OK(cudaMemcpy(pageable, all->e, bytes, cudaMemcpyDeviceToHost));
    CHECK(all_are(pageable, 8)); /* had not been read yet */
    free(pageable);
}

static void CUDART_CB append(void *text)
{
    strcat((char *)text, "x");
}

static void host_functions_wait_their_turn(const struct buffers *all)
{
    char text[8] = "";
    launch_add(all->d, all->a);
    OK(cudaLaunchHostFunc(all->a, append, text));
    OK(cudaLaunchHostFunc(all->a, append, text));
    CHECK(strcmp(text, "") == 0);
    OK(cudaStreamSynchronize(all->a));
    CHECK(strcmp(text, "xx") == 0);
}

static void copies_overlap(const struct buffers *all)
{
    const size_t bytes = (size_t)8 << 20;
    cudaEvent_t start, end;
    char *d, *h, *back;
    float serial = 0.0f, both = 0.0f;
    OK(cudaMalloc((void **)&d, 2 * bytes));
    OK(cudaMallocHost((void **)&h, bytes));
    OK(cudaMallocHost((void **)&back, bytes));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaMemset(d, 0, 2 * bytes));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, all->a));
    OK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, all->a));
    OK(cudaMemcpyAsync(back, d + bytes, bytes, cudaMemcpyDeviceToHost, all->a));
    OK(cudaEventRecord(end, all->a));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&serial, start, end));
    OK(cudaEventRecord(start, all->a));
    OK(cudaStreamWaitEvent(all->b, start, 0));
    OK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, all->a));
    OK(cudaMemcpyAsync(back, d + bytes, bytes, cudaMemcpyDeviceToHost, all->b));
    OK(cudaEventRecord(end, all->b));
    OK(cudaStreamWaitEvent(all->a, end, 0));
    OK(cudaEventRecord(end, all->a));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&both, start, end));
    CHECK(serial > 1.9f * both && serial < 2.1f * both);
    OK(cudaFree(d));
    OK(cudaFreeHost(h));
    OK(cudaFreeHost(back));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
}

/* Eight chunks on two streams, each copied in, worked on and copied out: in, kernel and out of
 * different chunks overlap, whichever stream the host waits for first. */
static void a_pipeline_overlaps(const struct buffers *all)
{
    enum { CHUNKS = 8 };
    const size_t bytes = (size_t)1 << 20;
    const int n = (int)(bytes / sizeof(int));
    const cudaStream_t streams[2] = {all->a, all->b};
    cudaEvent_t start, end;
    int *d, *h;
    float ms[2] = {0.0f, 0.0f};
    OK(cudaMalloc((void **)&d, CHUNKS * bytes));
    OK(cudaMallocHost((void **)&h, CHUNKS * bytes));
    memset(h, 0, CHUNKS * bytes);
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    for (int used = 1; used <= 2; used++) {
        OK(cudaDeviceSynchronize());
        OK(cudaEventRecord(start, 0));
        for (int i = 0; i < CHUNKS; i++) {
            const cudaStream_t stream = streams[i % used];
            int *chunk = d + (size_t)i * n;
            OK(cudaMemcpyAsync(chunk, h + (size_t)i * n, bytes, cudaMemcpyHostToDevice, stream));
            add_one_kernel<<<(n + 255) / 256, 256, 0, stream>>>(chunk, n);
            OK(cudaMemcpyAsync(h + (size_t)i * n, chunk, bytes, cudaMemcpyDeviceToHost, stream));
        }
        for (int i = used - 1; i >= 0; i--)
            OK(cudaStreamSynchronize(streams[i]));
        OK(cudaEventRecord(end, 0));
        OK(cudaEventSynchronize(end));
        OK(cudaEventElapsedTime(&ms[used - 1], start, end));
        CHECK(h[0] == used && h[CHUNKS * n - 1] == used);
    }
    CHECK(ms[1] < 0.75f * ms[0]);
    OK(cudaFree(d));
    OK(cudaFreeHost(h));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
}

/* Three streams, of which the host waits for one after the other, or for all at once: the device
 * does the same work at the same time. */
static void waiting_does_not_change_time(void)
{
    enum { STREAMS = 3, CHUNKS = 12 };
    const size_t bytes = (size_t)1 << 18;
    const int n = (int)(bytes / sizeof(int));
    cudaStream_t streams[STREAMS];
    cudaEvent_t start, ends[STREAMS];
    int *d, *h;
    float longest[3] = {0.0f, 0.0f, 0.0f};
    OK(cudaMalloc((void **)&d, STREAMS * bytes));
    OK(cudaMallocHost((void **)&h, CHUNKS * bytes));
    OK(cudaMemset(d, 0, STREAMS * bytes));
    OK(cudaEventCreate(&start));
    for (int i = 0; i < STREAMS; i++) {
        OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        OK(cudaEventCreate(&ends[i]));
    }
    for (int way = 0; way < 3; way++) {
        OK(cudaDeviceSynchronize());
        OK(cudaEventRecord(start, 0));
        for (int i = 0; i < CHUNKS; i++) {
            const cudaStream_t stream = streams[i % STREAMS];
            int *chunk = d + i % STREAMS * n, *home = h + (size_t)i * n;
            if (i < STREAMS)
                OK(cudaStreamWaitEvent(stream, start, 0));
            OK(cudaMemcpyAsync(chunk, home, bytes, cudaMemcpyHostToDevice, stream));
            add_one_kernel<<<(n + 255) / 256, 256, 0, stream>>>(chunk, n);
            OK(cudaMemcpyAsync(home, chunk, bytes, cudaMemcpyDeviceToHost, stream));
            OK(cudaEventRecord(ends[i % STREAMS], stream));
        }
        for (int i = 0; i < STREAMS; i++)
            if (way > 0)
                OK(cudaStreamSynchronize(streams[way == 1 ? i : STREAMS - 1 - i]));
        OK(cudaDeviceSynchronize());
        for (int i = 0; i < STREAMS; i++) {
            float ms;
            OK(cudaEventElapsedTime(&ms, start, ends[i]));
            longest[way] = ms > longest[way] ? ms : longest[way];
        }
    }
    CHECK(longest[1] < 1.02f * longest[0] && longest[1] > 0.98f * longest[0]);
    CHECK(longest[2] < 1.02f * longest[0] && longest[2] > 0.98f * longest[0]);
    for (int i = 0; i < STREAMS; i++) {
        OK(cudaStreamDestroy(streams[i]));
        OK(cudaEventDestroy(ends[i]));
    }
    OK(cudaEventDestroy(start));
    OK(cudaFree(d));
    OK(cudaFreeHost(h));
}

/* Times at which a large kernel and a small one end, submitted in this order, in ms. */
static void ends_of_two(int priority, float *large, float *small)
{
    const int n = 1 << 18, few = n / 16;
    cudaStream_t patient, urgent;
    cudaEvent_t start, large_end, small_end;
    int *d;
    OK(cudaStreamCreateWithPriority(&patient, cudaStreamNonBlocking, 0));
    OK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, priority));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&large_end));
    OK(cudaEventCreate(&small_end));
    OK(cudaMalloc((void **)&d, (n + few) * sizeof(int)));
    OK(cudaMemset(d, 0, (n + few) * sizeof(int)));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, patient));
    add_many_kernel<<<n / 256, 256, 0, patient>>>(d, n, 500);
    OK(cudaEventRecord(large_end, patient));
    add_many_kernel<<<few / 256, 256, 0, urgent>>>(d + n, few, 500);
    OK(cudaEventRecord(small_end, urgent));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(large, start, large_end));
    OK(cudaEventElapsedTime(small, start, small_end));
    OK(cudaFree(d));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(large_end));
    OK(cudaEventDestroy(small_end));
    OK(cudaStreamDestroy(patient));
    OK(cudaStreamDestroy(urgent));
}

static void urgent_kernels_go_first(void)
{
    float large[2], small[2];
    ends_of_two(0, &large[0], &small[0]);
    ends_of_two(-1, &large[1], &small[1]);
    CHECK(small[0] > large[0]);        /* waits for all blocks of the other */
    CHECK(small[1] < 0.5f * large[1]); /* waits for some of them */
    CHECK(large[1] > large[0]);        /* which is paid for */
    CHECK(large[1] < 1.1f * small[0]);
}

static void queries_execute_nothing(const struct buffers *all)
{
    const size_t bytes = N * sizeof(int);
    OK(cudaMemset(all->d, 0, bytes));
    OK(cudaDeviceSynchronize());
    memset(all->pinned_out, 0xff, bytes);
    OK(cudaMemcpyAsync(all->pinned_out, all->d, bytes, cudaMemcpyDeviceToHost, all->a));
    OK(cudaEventRecord(all->event, all->a));
    CHECK_CALL(cudaStreamQuery(all->a), cudaErrorNotReady);
    CHECK_CALL(cudaEventQuery(all->event), cudaErrorNotReady);
    CHECK(all_are(all->pinned_out, -1));
    while (cudaStreamQuery(all->a) == cudaErrorNotReady) {
    }
    CHECK(all_are(all->pinned_out, 0));
    OK(cudaEventQuery(all->event));
}

static void polling_ends(const struct buffers *all)
{
    int polls = 0;
    spin_kernel<<<1, 1, 0, all->a>>>(100000);
    OK(cudaEventRecord(all->event, all->a));
    while (cudaEventQuery(all->event) == cudaErrorNotReady)
        polls++;
    OK(cudaGetLastError());
    OK(cudaEventQuery(all->event));
    CHECK(polls > 0);
}

/* The host looks at pinned memory only. */
static void memory_polling_ends(const struct buffers *all)
{
    volatile int *flag = all->pinned;
    *flag = 0;
    add_one_kernel<<<1, 32, 0, all->a>>>(all->pinned, 1);
    while (*flag == 0) {
    }
    CHECK(*flag == 1);
    OK(cudaDeviceSynchronize());
}

int main(void)
{
    const struct buffers all = make_buffers();
    host_waits(&all);
    events_order_streams(&all);
    a_wait_before_the_record_is_none(&all);
    legacy_stream_joins(&all);
    sources_are_read_when_the_rules_say(&all);
    host_functions_wait_their_turn(&all);
    copies_overlap(&all);
    a_pipeline_overlaps(&all);
    waiting_does_not_change_time();
    urgent_kernels_go_first();
    queries_execute_nothing(&all);
    polling_ends(&all);
    memory_polling_ends(&all);
    free_buffers(&all);
    return check_result("streams");
}
