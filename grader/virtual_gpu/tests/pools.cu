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
