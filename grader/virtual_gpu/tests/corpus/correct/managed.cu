/* Managed memory and waiting: the host touches what it has waited for, in all the ways to wait. */
#include "../corpus.h"

enum { N = 20000 };

__global__ void add_kernel(int *values, int n, int x)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        values[i] += x;
}

static void launch_add(int *values, int x, cudaStream_t stream)
{
    add_kernel<<<(N + 255) / 256, 256, 0, stream>>>(values, N, x);
    OK(cudaGetLastError());
}

static int *managed_zeros(void)
{
    int *values = NULL;
    OK(cudaMallocManaged((void **)&values, N * sizeof(int)));
    memset(values, 0, N * sizeof(int));
    return values;
}

/* ---- another stream is still at work --------------------------------------------------------- */

static void waiting_for_one_of_two_streams(void)
{
    cudaStream_t first, second;
    int *a = managed_zeros(), *b = managed_zeros();
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreate(&second));
    launch_add(a, 1, first);
    launch_add(b, 2, second);
    OK(cudaStreamSynchronize(first));
    EXPECT(a[0] == 1 && a[N - 1] == 1); /* the second stream has nothing to do with it */
    OK(cudaStreamSynchronize(second));
    EXPECT(b[0] == 2 && b[N - 1] == 2);
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaFree(a));
    OK(cudaFree(b));
}

static void attached_to_a_stream(void)
{
    cudaStream_t stream;
    int *a = NULL;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocManaged((void **)&a, N * sizeof(int), cudaMemAttachHost));
    for (int i = 0; i < N; i++)
        a[i] = i;
    OK(cudaStreamAttachMemAsync(stream, a, 0, cudaMemAttachSingle));
    OK(cudaStreamSynchronize(stream));
    launch_add(a, 5, stream);
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        EXPECT(a[i] == i + 5);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
}

/* ---- the ways to wait ------------------------------------------------------------------------ */

static void waiting_for_an_event(void)
{
    cudaStream_t stream;
    cudaEvent_t done;
    int *a = managed_zeros();
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&done));
    launch_add(a, 3, stream);
    OK(cudaEventRecord(done, stream));
    OK(cudaEventSynchronize(done));
    EXPECT(a[7] == 3);
    launch_add(a, 3, stream);
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        ;
    EXPECT(a[7] == 6);
    launch_add(a, 3, stream);
    OK(cudaEventRecord(done, stream));
    while (cudaEventQuery(done) == cudaErrorNotReady)
        ;
    (void)cudaGetLastError(); /* of the queries */
    EXPECT(a[N - 1] == 9);
    OK(cudaEventDestroy(done));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
}

/* A copy to pageable memory waits for what was queued before it in the default stream. */
static void waiting_by_a_copy(void)
{
    int *a = managed_zeros(), *b = device_zeros<int>(N), got[4];
    launch_add(a, 4, 0);
    launch_add(b, 6, 0);
    OK(cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 6 && a[0] == 4 && a[N - 1] == 4);
    OK(cudaFree(a));
    OK(cudaFree(b));
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void prefetched_both_ways(void)
{
    int *a = managed_zeros();
#if CUDART_VERSION >= 13000
    const struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    OK(cudaMemPrefetchAsync(a, N * sizeof(int), device, 0, 0));
    launch_add(a, 8, 0);
    OK(cudaMemPrefetchAsync(a, N * sizeof(int), host, 0, 0));
#else
    OK(cudaMemPrefetchAsync(a, N * sizeof(int), 0, 0));
    launch_add(a, 8, 0);
    OK(cudaMemPrefetchAsync(a, N * sizeof(int), cudaCpuDeviceId, 0));
#endif
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        EXPECT(a[i] == 8);
    OK(cudaFree(a));
}

/* A list of managed nodes that the host builds and the device walks. */
struct node {
    int value;
    struct node *next;
};

__global__ void walk_kernel(const struct node *at, int *sum)
{
    *sum = 0;
    for (; at != NULL; at = at->next)
        *sum += at->value;
}

static void list_of_managed_nodes(void)
{
    struct node *head = NULL;
    int *sum = managed_zeros();
    for (int i = 0; i < 100; i++) {
        struct node *fresh = NULL;
        OK(cudaMallocManaged((void **)&fresh, sizeof *fresh));
        fresh->value = i;
        fresh->next = head;
        head = fresh;
    }
    walk_kernel<<<1, 1>>>(head, sum);
    FINISH();
    EXPECT(*sum == 4950);
    while (head != NULL) {
        struct node *next = head->next;
        OK(cudaFree(head));
        head = next;
    }
    OK(cudaFree(sum));
}

CORPUS_MAIN(CASE(waiting_for_one_of_two_streams), CASE(attached_to_a_stream),
    CASE(waiting_for_an_event), CASE(waiting_by_a_copy), CASE(prefetched_both_ways),
    CASE(list_of_managed_nodes))
