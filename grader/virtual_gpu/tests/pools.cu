/* Stream-ordered allocation, its pools, and the attributes of streams. */
#include "check.h"

#include <stdint.h>

__global__ void number_kernel(int *cells)
{
    cells[threadIdx.x] = threadIdx.x;
}

static void allocate_in_a_stream(cudaStream_t stream, cudaMemPool_t pool)
{
    int *d = NULL, h[32] = {0};
    if (pool == NULL)
        OK(cudaMallocAsync((void **)&d, sizeof h, stream));
    else
        OK(cudaMallocFromPoolAsync((void **)&d, sizeof h, pool, stream));
    number_kernel<<<1, 32, 0, stream>>>(d);
    OK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(d, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(h[1] == 1 && h[31] == 31);
}

static uint64_t number_of(cudaMemPool_t pool, cudaMemPoolAttr attribute)
{
    uint64_t number = 0;
    OK(cudaMemPoolGetAttribute(pool, attribute, &number));
    return number;
}

/* What a pool holds comes from the device in whole units, and goes back when the host has
 * waited. */
static void holds(cudaStream_t stream, cudaMemPool_t pool, uint64_t threshold)
{
    const uint64_t unit = 32 << 20, kept = threshold == 0 ? 0 : unit;
    char *d = NULL;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    OK(cudaMallocFromPoolAsync((void **)&d, 1000, pool, stream));
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == unit);
    CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) >= 1000);
    OK(cudaStreamSynchronize(stream));
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == unit);
    OK(cudaFreeAsync(d, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == kept);
    OK(cudaMemPoolTrimTo(pool, 0));
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemHigh) == unit);
}

/* What is freed in a stream is bound to the pool until that stream has got there. */
static void holds_what_is_queued(cudaStream_t stream, cudaMemPool_t pool)
{
    cudaStream_t other = NULL;
    uint64_t none = 0;
    int *d = NULL;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &none));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaMallocFromPoolAsync((void **)&d, 32 * sizeof *d, pool, other));
    number_kernel<<<1, 32, 0, other>>>(d);
    OK(cudaFreeAsync(d, other));
    CHECK_CALL(cudaFree(d), cudaErrorInvalidValue);
    OK(cudaStreamSynchronize(stream));
    CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == 32 << 20);
    OK(cudaStreamSynchronize(other));
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
    OK(cudaMallocFromPoolAsync((void **)&d, 32 * sizeof *d, pool, other));
    OK(cudaFree(d)); /* an H200 goes on to count it as used, so that is not compared */
    OK(cudaStreamDestroy(other));
    OK(cudaDeviceSynchronize());
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
}

/* A capture allocates for its graph, and not from a pool. */
static void captures(cudaStream_t stream, cudaMemPool_t pool)
{
    cudaGraph_t graph = NULL;
    int *d = NULL;
    const uint64_t used = number_of(pool, cudaMemPoolAttrUsedMemCurrent);
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocFromPoolAsync((void **)&d, 32 * sizeof *d, pool, stream));
    OK(cudaFreeAsync(d, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphDestroy(graph));
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
    CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == used);
}

/* Only the program's wishes can be set, and stay; what a pool holds is counted. */
static void keeps_its_attributes(cudaStream_t stream, cudaMemPool_t pool)
{
    uint64_t most = UINT64_MAX, many = 1ull << 40, none = 0;
    int no = 0, reuse = -1;
    char *d = NULL;
    const uint64_t used = number_of(pool, cudaMemPoolAttrUsedMemCurrent);
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
    OK(cudaMallocFromPoolAsync((void **)&d, 1000, pool, stream));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &no));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
    CHECK(reuse == 0);
    CHECK(number_of(pool, cudaMemPoolAttrReleaseThreshold) == most);
    CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == used + 1000);
    for (int held = cudaMemPoolAttrReservedMemCurrent; held <= cudaMemPoolAttrUsedMemHigh; held++)
        CHECK_CALL(
            cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)held, &many), cudaErrorInvalidValue);
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
    OK(cudaFreeAsync(d, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == used);
    CHECK(number_of(pool, cudaMemPoolAttrReservedMemCurrent) == 32 << 20);
}

/* A pool that is destroyed ends with its last memory, and no other pool hears of that. */
static void ends_with_its_memory(cudaStream_t stream, const cudaMemPoolProps *properties)
{
    cudaMemPool_t ended = NULL, next = NULL;
    char *d = NULL, *e = NULL;
    OK(cudaMemPoolCreate(&ended, properties));
    OK(cudaMallocFromPoolAsync((void **)&d, 1000, ended, stream));
    OK(cudaMemPoolDestroy(ended));
    OK(cudaMemPoolCreate(&next, properties));
    OK(cudaFreeAsync(d, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMallocFromPoolAsync((void **)&e, 100, next, stream));
    CHECK(number_of(next, cudaMemPoolAttrUsedMemCurrent) == 100);
    OK(cudaFreeAsync(e, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemPoolDestroy(next));
}

static void pools(cudaStream_t stream)
{
    cudaMemPool_t first = NULL, own = NULL, current = NULL;
    uint64_t threshold = UINT64_MAX, got = 0;
    int reuse = 0;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    OK(cudaDeviceGetDefaultMemPool(&first, 0));
    OK(cudaMemPoolSetAttribute(first, cudaMemPoolAttrReleaseThreshold, &threshold));
    OK(cudaMemPoolGetAttribute(first, cudaMemPoolAttrReleaseThreshold, &got));
    CHECK(got == threshold);
    OK(cudaMemPoolGetAttribute(first, cudaMemPoolReuseAllowOpportunistic, &reuse));
    CHECK(reuse == 1);
    OK(cudaMemPoolCreate(&own, &properties));
    allocate_in_a_stream(stream, own);
    OK(cudaDeviceSetMemPool(0, own));
    OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(current == own);
    allocate_in_a_stream(stream, NULL);
    OK(cudaMemPoolTrimTo(own, 0));
    holds(stream, own, 0);
    holds(stream, own, UINT64_MAX);
    holds_what_is_queued(stream, own);
    captures(stream, own);
    keeps_its_attributes(stream, own);
    keeps_its_attributes(stream, first);
    ends_with_its_memory(stream, &properties);
    OK(cudaMemPoolDestroy(own));
    OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(current == first);
    CHECK_CALL(cudaDeviceGetDefaultMemPool(&first, 99), cudaErrorInvalidDevice);
}

static void stream_attributes(cudaStream_t stream)
{
    cudaStreamAttrValue set = {}, got = {};
    set.accessPolicyWindow.num_bytes = 128;
    OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    OK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got));
    CHECK(got.accessPolicyWindow.num_bytes == 128);
}

int main(void)
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    allocate_in_a_stream(stream, NULL);
    pools(stream);
    stream_attributes(stream);
    OK(cudaStreamDestroy(stream));
    return check_result("pools");
}
