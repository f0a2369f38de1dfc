/* Several devices, as many as VGPU_DEVICES says: each has its memory, streams and engines.
 *
 *   devices          checks itself
 *   devices foreign  the second device touches memory of the first one without peer access
 *   devices fill     the same by cudaMemset
 */
#include "check.h"

#include <string.h>

enum { N = 1 << 18, DEVICES_MAX = 8 };

static const size_t bytes = N * sizeof(int);
static int devices;

__global__ void add_kernel(int *cells, int n, int x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i] += x;
}

__global__ void copy_kernel(const int *from, int *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

struct part {
    cudaStream_t stream;
    cudaEvent_t done;
    int *d, *h; /* of the device, and pinned */
};

static void make_parts(struct part *parts)
{
    for (int i = 0; i < devices; i++) {
        OK(cudaSetDevice(i));
        OK(cudaStreamCreateWithFlags(&parts[i].stream, cudaStreamNonBlocking));
        OK(cudaEventCreate(&parts[i].done));
        OK(cudaMalloc((void **)&parts[i].d, bytes));
        OK(cudaMallocHost((void **)&parts[i].h, bytes));
        for (int k = 0; k < N; k++)
            parts[i].h[k] = 1000 * i + k;
    }
}

static void free_parts(struct part *parts)
{
    for (int i = 0; i < devices; i++) {
        OK(cudaSetDevice(i));
        OK(cudaStreamDestroy(parts[i].stream));
        OK(cudaEventDestroy(parts[i].done));
        OK(cudaFree(parts[i].d));
        OK(cudaFreeHost(parts[i].h));
    }
    OK(cudaSetDevice(0));
}

/* A ring: what a device has worked on goes to the next one, which adds something and sends it
 * home. */
static void work_goes_round(struct part *parts)
{
    for (int i = 0; i < devices; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMemcpyAsync(parts[i].d, parts[i].h, bytes, cudaMemcpyHostToDevice, parts[i].stream));
        add_kernel<<<N / 256, 256, 0, parts[i].stream>>>(parts[i].d, N, 7);
        OK(cudaEventRecord(parts[i].done, parts[i].stream));
    }
    int *arrived[DEVICES_MAX];
    for (int i = 0; i < devices; i++) {
        const int from = (i + 1) % devices;
        OK(cudaSetDevice(i));
        OK(cudaMalloc((void **)&arrived[i], bytes));
        OK(cudaStreamWaitEvent(parts[i].stream, parts[from].done, 0));
        OK(cudaMemcpyPeerAsync(arrived[i], i, parts[from].d, from, bytes, parts[i].stream));
        add_kernel<<<N / 256, 256, 0, parts[i].stream>>>(arrived[i], N, i);
        OK(cudaMemcpyAsync(parts[i].h, arrived[i], bytes, cudaMemcpyDeviceToHost, parts[i].stream));
    }
    for (int i = 0; i < devices; i++) {
        OK(cudaSetDevice(i));
        OK(cudaStreamSynchronize(parts[i].stream));
        OK(cudaFree(arrived[i]));
        bool right = true;
        for (int k = 0; k < N; k++)
            right &= parts[i].h[k] == 1000 * ((i + 1) % devices) + k + 7 + i;
        CHECK(right);
    }
    OK(cudaSetDevice(0));
}

static void neighbours_with_peer_access(struct part *parts)
{
    for (int i = 0; i + 1 < devices; i++) {
        int can = 0;
        OK(cudaDeviceCanAccessPeer(&can, i + 1, i));
        CHECK(can == 1);
        OK(cudaSetDevice(i + 1));
        OK(cudaDeviceEnablePeerAccess(i, 0));
        CHECK_CALL(cudaDeviceEnablePeerAccess(i, 0), cudaErrorPeerAccessAlreadyEnabled);
        copy_kernel<<<N / 256, 256, 0, parts[i + 1].stream>>>(parts[i].d, parts[i + 1].d, N);
        OK(cudaStreamSynchronize(parts[i + 1].stream));
        OK(cudaDeviceDisablePeerAccess(i));
        OK(cudaGetLastError() == cudaErrorPeerAccessAlreadyEnabled ? cudaSuccess
                                                                   : cudaErrorUnknown);
    }
    OK(cudaSetDevice(0));
}

/* Streams and events belong to a device. */
static void what_belongs_elsewhere_is_refused(struct part *parts)
{
    CHECK_CALL(cudaSetDevice(devices), cudaErrorInvalidDevice);
    if (devices > 1) {
        CHECK_CALL(cudaEventRecord(parts[0].done, parts[1].stream), cudaErrorInvalidResourceHandle);
        CHECK_CALL(cudaMemcpyPeer(parts[0].d, 0, parts[1].d, devices, 4), cudaErrorInvalidDevice);
    }
    (void)cudaGetLastError();
}

static float ms_of(cudaStream_t stream, void *to, const void *from, enum cudaMemcpyKind kind)
{
    cudaEvent_t start, end;
    float ms = 0.0f;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start, stream));
    OK(cudaMemcpyAsync(to, from, bytes, kind, stream));
    OK(cudaEventRecord(end, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaEventElapsedTime(&ms, start, end));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    return ms;
}

/* As on an H200: 54.9 and 7.6 GB/s in, 55.0 and 13.6 out; and within the device far faster. */
static void rates_of_copies(struct part *part)
{
    char *pageable = (char *)malloc(bytes);
    int *second;
    memset(pageable, 0, bytes);
    OK(cudaMalloc((void **)&second, bytes));
    const float in = ms_of(part->stream, part->d, part->h, cudaMemcpyHostToDevice);
    const float out = ms_of(part->stream, part->h, part->d, cudaMemcpyDeviceToHost);
    const float slow_in = ms_of(part->stream, part->d, pageable, cudaMemcpyHostToDevice);
    const float slow_out = ms_of(part->stream, pageable, part->d, cudaMemcpyDeviceToHost);
    const float within = ms_of(part->stream, second, part->d, cudaMemcpyDeviceToDevice);
    CHECK(slow_in > 6.0f * in && slow_in < 8.0f * in);
    CHECK(slow_out > 3.5f * out && slow_out < 4.5f * out);
    CHECK(in < 1.1f * out && out < 1.1f * in);
    CHECK(within < 0.2f * in);
    OK(cudaFree(second));
    free(pageable);
}

/* Devices have engines of their own: what they do at the same time takes no longer. */
static void devices_work_side_by_side(struct part *parts)
{
    float alone = 0.0f;
    for (int used = 1; used <= devices; used++) {
        cudaEvent_t start[DEVICES_MAX];
        float longest = 0.0f;
        for (int i = 0; i < used; i++) {
            OK(cudaSetDevice(i));
            OK(cudaEventCreate(&start[i]));
            OK(cudaEventRecord(start[i], parts[i].stream));
            OK(cudaMemcpyAsync(
                parts[i].d, parts[i].h, bytes, cudaMemcpyHostToDevice, parts[i].stream));
            OK(cudaEventRecord(parts[i].done, parts[i].stream));
        }
        for (int i = 0; i < used; i++) {
            float ms;
            OK(cudaSetDevice(i));
            OK(cudaStreamSynchronize(parts[i].stream));
            OK(cudaEventElapsedTime(&ms, start[i], parts[i].done));
            OK(cudaEventDestroy(start[i]));
            longest = ms > longest ? ms : longest;
        }
        alone = used == 1 ? longest : alone;
        CHECK(longest < 1.05f * alone);
    }
    OK(cudaSetDevice(0));
}

static void touch_foreign_memory(bool by_fill)
{
    int *d;
    OK(cudaMalloc((void **)&d, bytes));
    OK(cudaMemset(d, 0, bytes));
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(1));
    if (by_fill) {
        CHECK_CALL(cudaMemset(d, 1, bytes), cudaErrorInvalidValue);
        return;
    }
    add_kernel<<<1, 32>>>(d, N, 1);
    CHECK_CALL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

int main(int argc, char **argv)
{
    struct part parts[DEVICES_MAX];
    OK(cudaGetDeviceCount(&devices));
    if (argc > 1) {
        touch_foreign_memory(strcmp(argv[1], "fill") == 0);
        return check_result(argv[1]);
    }
    make_parts(parts);
    work_goes_round(parts);
    neighbours_with_peer_access(parts);
    what_belongs_elsewhere_is_refused(parts);
    rates_of_copies(&parts[0]);
    devices_work_side_by_side(parts);
    free_parts(parts);
    return check_result("devices");
}
