/* The virtual device's attributes and properties. */
#include "device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

enum { MEBIBYTE = 1 << 20, ATTRIBUTE_LAST = 147 };

/* Every device attribute that was not 0 on an NVIDIA H200 (driver 580.159.04, CUDA 13.0); the
 * rest, up to ATTRIBUTE_LAST, was 0. Rows named in `scaled` below are cut to the virtual size. */
static const int h200_attribute[ATTRIBUTE_LAST + 1] = {
    [1] = 1024,        /* MaxThreadsPerBlock */
    [2] = 1024,        /* MaxBlockDimX */
    [3] = 1024,        /* MaxBlockDimY */
    [4] = 64,          /* MaxBlockDimZ */
    [5] = 2147483647,  /* MaxGridDimX */
    [6] = 65535,       /* MaxGridDimY */
    [7] = 65535,       /* MaxGridDimZ */
    [8] = 49152,       /* MaxSharedMemoryPerBlock */
    [9] = 65536,       /* TotalConstantMemory */
    [10] = 32,         /* WarpSize */
    [11] = 2147483647, /* MaxPitch */
    [12] = 65536,      /* MaxRegistersPerBlock */
    [13] = 1980000,    /* ClockRate */
    [14] = 512,        /* TextureAlignment */
    [15] = 1,          /* GpuOverlap */
    [16] = 132,        /* MultiProcessorCount */
    [19] = 1,          /* CanMapHostMemory */
    [21] = 131072,     /* MaxTexture1DWidth */
    [22] = 131072,     /* MaxTexture2DWidth */
    [23] = 65536,      /* MaxTexture2DHeight */
    [24] = 16384,      /* MaxTexture3DWidth */
    [25] = 16384,      /* MaxTexture3DHeight */
    [26] = 16384,      /* MaxTexture3DDepth */
    [27] = 32768,      /* MaxTexture2DLayeredWidth */
    [28] = 32768,      /* MaxTexture2DLayeredHeight */
    [29] = 2048,       /* MaxTexture2DLayeredLayers */
    [30] = 512,        /* SurfaceAlignment */
    [31] = 1,          /* ConcurrentKernels */
    [32] = 1,          /* EccEnabled */
    [34] = 6,          /* PciDeviceId */
    [36] = 3201000,    /* MemoryClockRate */
    [37] = 6016,       /* GlobalMemoryBusWidth */
    [38] = 62914560,   /* L2CacheSize */
    [39] = 2048,       /* MaxThreadsPerMultiProcessor */
    [40] = 3,          /* AsyncEngineCount */
    [41] = 1,          /* UnifiedAddressing */
    [42] = 32768,      /* MaxTexture1DLayeredWidth */
    [43] = 2048,       /* MaxTexture1DLayeredLayers */
    [44] = 1,          /* reserved */
    [45] = 32768,      /* MaxTexture2DGatherWidth */
    [46] = 32768,      /* MaxTexture2DGatherHeight */
    [47] = 8192,       /* MaxTexture3DWidthAlt */
    [48] = 8192,       /* MaxTexture3DHeightAlt */
    [49] = 32768,      /* MaxTexture3DDepthAlt */
    [51] = 32,         /* TexturePitchAlignment */
    [52] = 32768,      /* MaxTextureCubemapWidth */
    [53] = 32768,      /* MaxTextureCubemapLayeredWidth */
    [54] = 2046,       /* MaxTextureCubemapLayeredLayers */
    [55] = 32768,      /* MaxSurface1DWidth */
    [56] = 131072,     /* MaxSurface2DWidth */
    [57] = 65536,      /* MaxSurface2DHeight */
    [58] = 16384,      /* MaxSurface3DWidth */
    [59] = 16384,      /* MaxSurface3DHeight */
    [60] = 16384,      /* MaxSurface3DDepth */
    [61] = 32768,      /* MaxSurface1DLayeredWidth */
    [62] = 2048,       /* MaxSurface1DLayeredLayers */
    [63] = 32768,      /* MaxSurface2DLayeredWidth */
    [64] = 32768,      /* MaxSurface2DLayeredHeight */
    [65] = 2048,       /* MaxSurface2DLayeredLayers */
    [66] = 32768,      /* MaxSurfaceCubemapWidth */
    [67] = 32768,      /* MaxSurfaceCubemapLayeredWidth */
    [68] = 2046,       /* MaxSurfaceCubemapLayeredLayers */
    [69] = 268435456,  /* MaxTexture1DLinearWidth */
    [70] = 131072,     /* MaxTexture2DLinearWidth */
    [71] = 65000,      /* MaxTexture2DLinearHeight */
    [72] = 2097120,    /* MaxTexture2DLinearPitch */
    [73] = 32768,      /* MaxTexture2DMipmappedWidth */
    [74] = 32768,      /* MaxTexture2DMipmappedHeight */
    [75] = 9,          /* ComputeCapabilityMajor */
    [77] = 32768,      /* MaxTexture1DMipmappedWidth */
    [78] = 1,          /* StreamPrioritiesSupported */
    [79] = 1,          /* GlobalL1CacheSupported */
    [80] = 1,          /* LocalL1CacheSupported */
    [81] = 233472,     /* MaxSharedMemoryPerMultiprocessor */
    [82] = 65536,      /* MaxRegistersPerMultiprocessor */
    [83] = 1,          /* ManagedMemory */
    [87] = 2,          /* SingleToDoublePrecisionPerfRatio */
    [89] = 1,          /* ConcurrentManagedAccess */
    [90] = 1,          /* ComputePreemptionSupported */
    [91] = 1,          /* CanUseHostPointerForRegisteredMem */
    [95] = 1,          /* CooperativeLaunch */
    [96] = 1,          /* reserved */
    [97] = 232448,     /* MaxSharedMemoryPerBlockOptin */
    [99] = 1,          /* HostRegisterSupported */
    [102] = 1,         /* reserved */
    [103] = 1,         /* reserved */
    [106] = 32,        /* MaxBlocksPerMultiprocessor */
    [107] = 1,         /* reserved */
    [108] = 39321600,  /* MaxPersistingL2CacheSize */
    [109] = 134217728, /* MaxAccessPolicyWindowSize */
    [110] = 1,         /* reserved */
    [111] = 1024,      /* reserved */
    [112] = 1,         /* SparseCudaArraySupported */
    [113] = 1,         /* HostRegisterReadOnlySupported */
    [114] = 1,         /* TimelineSemaphoreInteropSupported */
    [115] = 1,         /* MemoryPoolsSupported */
    [116] = 1,         /* GPUDirectRDMASupported */
    [117] = 1,         /* GPUDirectRDMAFlushWritesOptions */
    [118] = 100,       /* GPUDirectRDMAWritesOrdering */
    [119] = 9,         /* MemoryPoolSupportedHandleTypes */
    [120] = 1,         /* ClusterLaunch */
    [121] = 1,         /* DeferredMappingCudaArraySupported */
    [122] = 1,         /* reserved */
    [123] = 1,         /* reserved */
    [124] = 1,         /* reserved */
    [125] = 1,         /* IpcEventSupport */
    [126] = 4,         /* MemSyncDomainCount */
    [127] = 1,         /* reserved */
    [128] = 1,         /* reserved */
    [129] = 1,         /* reserved */
    [131] = -1,        /* NumaId */
    [132] = 1,         /* reserved */
    [139] = 590680286, /* GpuPciDeviceId */
    [140] = 415174878, /* GpuPciSubsystemId */
    [141] = 1,         /* reserved */
    [142] = 1,         /* HostNumaMemoryPoolsSupported */
    [144] = 1,         /* HostMemoryPoolsSupported */
    [145] = 1,         /* reserved */
};

static const size_t h200_memory_bytes = 150109880320;

/* Chip-wide sizes × 8/132, rounded down to a multiple of `unit`. */
static const struct {
    enum cudaDeviceAttr attribute;
    int unit;
} scaled[] = {
    {cudaDevAttrMultiProcessorCount, 1},
    {cudaDevAttrGlobalMemoryBusWidth, 1},
    {cudaDevAttrL2CacheSize, 128},
    {cudaDevAttrMaxPersistingL2CacheSize, 128},
};

/* A number with an optional K, M or G; `otherwise` when the variable is unset or is not one. */
static size_t size_from_environment(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    char *end = NULL;
    if (text == NULL || !isdigit((unsigned char)text[0]))
        return otherwise;
    const unsigned long long number = strtoull(text, &end, 10);
    static const char units[] = "KMG";
    const char *unit = *end == '\0' ? NULL : strchr(units, toupper((unsigned char)*end));
    if (*end != '\0' && unit == NULL)
        return otherwise;
    return (size_t)number << (unit == NULL ? 0 : 10 * (unit - units + 1));
}

int device_count(void)
{
    const size_t wanted = size_from_environment("VGPU_DEVICES", 1);
    return wanted > DEVICE_COUNT_MAX ? DEVICE_COUNT_MAX : (int)wanted;
}

static size_t scale(size_t whole, size_t unit)
{
    return whole * DEVICE_SMS / DEVICE_SMS_OF_H200 / unit * unit;
}

size_t device_memory_bytes(void)
{
    return size_from_environment("VGPU_MEMORY", scale(h200_memory_bytes, 2 * MEBIBYTE));
}

bool device_managed_is_basic(void)
{
    static int known; /* 0: not yet */
    const char *text = known == 0 ? getenv("VGPU_MANAGED") : NULL;
    if (known == 0)
        known = text != NULL && strcmp(text, "basic") == 0 ? 1 : -1;
    return known > 0;
}

bool device_attribute(int device, enum cudaDeviceAttr attribute, int *value)
{
    if ((int)attribute < 1 || (int)attribute > ATTRIBUTE_LAST)
        return false;
    *value = h200_attribute[attribute];
    for (size_t i = 0; i < sizeof scaled / sizeof scaled[0]; i++)
        if (scaled[i].attribute == attribute)
            *value = (int)scale((size_t)*value, (size_t)scaled[i].unit);
    if (attribute == cudaDevAttrPciDeviceId)
        *value = device + 1;
    if (attribute == cudaDevAttrConcurrentManagedAccess && device_managed_is_basic())
        *value = 0;
    return true;
}

/* ---------------------------------------------------------------------------------------------- */

/* Where cudaDeviceProp keeps an attribute. The structure differs between toolkits: rows exist for
 * the members that all of them from 11.8 on have, and for those that one of them lost. */
struct property_row {
    size_t offset;
    enum cudaDeviceAttr attribute;
    enum { PLACE_INT, PLACE_SIZE } place;
};

#define INT_ROW(member, attribute)                                                 \
    {                                                                              \
        offsetof(struct cudaDeviceProp, member), cudaDevAttr##attribute, PLACE_INT \
    }
#define SIZE_ROW(member, attribute)                                                 \
    {                                                                               \
        offsetof(struct cudaDeviceProp, member), cudaDevAttr##attribute, PLACE_SIZE \
    }

static const struct property_row property_rows[] = {
    SIZE_ROW(sharedMemPerBlock, MaxSharedMemoryPerBlock),
    INT_ROW(regsPerBlock, MaxRegistersPerBlock),
    INT_ROW(warpSize, WarpSize),
    SIZE_ROW(memPitch, MaxPitch),
    INT_ROW(maxThreadsPerBlock, MaxThreadsPerBlock),
    INT_ROW(maxThreadsDim[0], MaxBlockDimX),
    INT_ROW(maxThreadsDim[1], MaxBlockDimY),
    INT_ROW(maxThreadsDim[2], MaxBlockDimZ),
    INT_ROW(maxGridSize[0], MaxGridDimX),
    INT_ROW(maxGridSize[1], MaxGridDimY),
    INT_ROW(maxGridSize[2], MaxGridDimZ),
    SIZE_ROW(totalConstMem, TotalConstantMemory),
    INT_ROW(major, ComputeCapabilityMajor),
    INT_ROW(minor, ComputeCapabilityMinor),
    SIZE_ROW(textureAlignment, TextureAlignment),
    SIZE_ROW(texturePitchAlignment, TexturePitchAlignment),
    INT_ROW(multiProcessorCount, MultiProcessorCount),
    INT_ROW(integrated, Integrated),
    INT_ROW(canMapHostMemory, CanMapHostMemory),
    SIZE_ROW(surfaceAlignment, SurfaceAlignment),
    INT_ROW(concurrentKernels, ConcurrentKernels),
    INT_ROW(ECCEnabled, EccEnabled),
    INT_ROW(pciBusID, PciBusId),
    INT_ROW(pciDeviceID, PciDeviceId),
    INT_ROW(pciDomainID, PciDomainId),
    INT_ROW(tccDriver, TccDriver),
    INT_ROW(asyncEngineCount, AsyncEngineCount),
    INT_ROW(unifiedAddressing, UnifiedAddressing),
    INT_ROW(memoryBusWidth, GlobalMemoryBusWidth),
    INT_ROW(l2CacheSize, L2CacheSize),
    INT_ROW(persistingL2CacheMaxSize, MaxPersistingL2CacheSize),
    INT_ROW(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor),
    INT_ROW(streamPrioritiesSupported, StreamPrioritiesSupported),
    INT_ROW(globalL1CacheSupported, GlobalL1CacheSupported),
    INT_ROW(localL1CacheSupported, LocalL1CacheSupported),
    SIZE_ROW(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor),
    INT_ROW(regsPerMultiprocessor, MaxRegistersPerMultiprocessor),
    INT_ROW(managedMemory, ManagedMemory),
    INT_ROW(isMultiGpuBoard, IsMultiGpuBoard),
    INT_ROW(multiGpuBoardGroupID, MultiGpuBoardGroupID),
    INT_ROW(hostNativeAtomicSupported, HostNativeAtomicSupported),
    INT_ROW(pageableMemoryAccess, PageableMemoryAccess),
    INT_ROW(concurrentManagedAccess, ConcurrentManagedAccess),
    INT_ROW(computePreemptionSupported, ComputePreemptionSupported),
    INT_ROW(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem),
    INT_ROW(cooperativeLaunch, CooperativeLaunch),
    SIZE_ROW(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin),
    INT_ROW(pageableMemoryAccessUsesHostPageTables, PageableMemoryAccessUsesHostPageTables),
    INT_ROW(directManagedMemAccessFromHost, DirectManagedMemAccessFromHost),
    INT_ROW(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor),
    INT_ROW(accessPolicyMaxWindowSize, MaxAccessPolicyWindowSize),
    SIZE_ROW(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock),
#if CUDART_VERSION < 13000
    INT_ROW(clockRate, ClockRate),
    INT_ROW(memoryClockRate, MemoryClockRate),
    INT_ROW(deviceOverlap, GpuOverlap),
    INT_ROW(kernelExecTimeoutEnabled, KernelExecTimeout),
    INT_ROW(computeMode, ComputeMode),
    INT_ROW(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio),
#endif
#if CUDART_VERSION >= 12000
    INT_ROW(hostRegisterSupported, HostRegisterSupported),
    INT_ROW(memoryPoolsSupported, MemoryPoolsSupported),
#endif
};

void device_properties(int device, struct cudaDeviceProp *properties)
{
    memset(properties, 0, sizeof *properties);
    snprintf(
        properties->name, sizeof properties->name, "Virtual GPU (H200 cut to %d SMs)", DEVICE_SMS);
    memcpy(properties->uuid.bytes, "virtual GPU", 11);
    properties->uuid.bytes[15] = (char)device;
    properties->totalGlobalMem = device_memory_bytes();
    for (size_t i = 0; i < sizeof property_rows / sizeof property_rows[0]; i++) {
        const struct property_row *row = &property_rows[i];
        int value = 0;
        device_attribute(device, row->attribute, &value);
        if (row->place == PLACE_INT)
            *(int *)((char *)properties + row->offset) = value;
        else
            *(size_t *)((char *)properties + row->offset) = (size_t)value;
    }
}
