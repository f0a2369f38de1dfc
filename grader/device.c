/* Facts about the device, from the CUDA runtime. */
#include "device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "virtual_calls.h"

void device_wake(void)
{
    cudaFree(NULL);
    cudaGetLastError(); /* without a device it is the first test that says so */
}

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, 0) != cudaSuccess)
        cudaGetLastError();
    return value;
}

/* The runtime reports a machine without a GPU as "driver version is insufficient": misleading. */
static void explain(struct device_facts *facts, cudaError_t status, int count)
{
    if (status == cudaErrorInsufficientDriver && facts->driver > 0)
        snprintf(facts->problem, sizeof facts->problem,
            "the driver supports CUDA %d.%d, the toolkit is %d.%d: update the driver, or use a "
            "toolkit that it supports (make doctor)",
            facts->driver / 1000, facts->driver % 1000 / 10, facts->toolkit / 1000,
            facts->toolkit % 1000 / 10);
    else if (count == 0 || status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver)
        snprintf(facts->problem, sizeof facts->problem, "there is no NVIDIA GPU on this machine");
    else
        snprintf(facts->problem, sizeof facts->problem, "the GPU cannot be used: %s (make doctor)",
            cudaGetErrorString(status));
}

struct device_facts device_ask(void)
{
    struct device_facts facts = {.is_virtual = virtual_calls()->now_ns != NULL};
    facts.times_kernels =
        !facts.is_virtual || (virtual_calls()->times_kernels && virtual_calls()->times_kernels());
    struct cudaDeviceProp properties;
    int count = 0;

    cudaRuntimeGetVersion(&facts.toolkit);
    cudaDriverGetVersion(&facts.driver);
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count > 0)
        status = cudaGetDeviceProperties(&properties, 0);
    if (status != cudaSuccess || count == 0) {
        explain(&facts, status, count);
        cudaGetLastError();
        return facts;
    }
    facts.usable = true;
    snprintf(facts.name, sizeof facts.name, "%.*s", (int)sizeof facts.name - 1, properties.name);
    facts.major = properties.major;
    facts.minor = properties.minor;
    facts.sm_count = properties.multiProcessorCount;
    facts.memory_bytes = properties.totalGlobalMem;
    facts.l2_bytes = (size_t)properties.l2CacheSize;
    facts.reads_host_memory = attribute(cudaDevAttrPageableMemoryAccess) != 0;
    return facts;
}

int device_sm_count(void)
{
    return attribute(cudaDevAttrMultiProcessorCount);
}

size_t device_l2_bytes(void)
{
    return (size_t)attribute(cudaDevAttrL2CacheSize);
}

size_t device_free_bytes(void)
{
    size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    return free_bytes;
}
