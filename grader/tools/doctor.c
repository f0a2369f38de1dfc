/* What the CUDA runtime says about this machine, for doctor.sh: key=value, a line or a tab apart.
 *
 * Compiled by nvcc (as CUDA) it also launches a kernel; compiled by the C compiler, which is what
 * is left when nvcc cannot use its host compiler, it only asks. It exits with 0 whatever it finds:
 * the lines are the answer.
 *
 *   runtime=13000 driver=12040     releases, 1000 * major + 10 * minor; driver is 0 when no driver
 *                                  library is loaded
 *   devices=1                      GPUs that are visible
 *   error=cudaErrorNoDevice        why there is none
 *   gpu=0 name=... capability=90 memory_mib=... l2_kib=... cooperative=1 concurrent_managed=1
 *   free_mib=...                   of the first GPU
 *   kernel=ok                      a kernel ran there; or the name of the error
 */
#include <stdio.h>
#include <stddef.h>
#include <cuda_runtime_api.h>
#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

enum { MIB = 1024 * 1024, KIB = 1024 };

static int attribute(enum cudaDeviceAttr which, int device)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
        return -1;
    }
    return value;
}

static void print_device(int device)
{
    struct cudaDeviceProp properties;
    cudaError_t status = cudaGetDeviceProperties(&properties, device);
    if (status != cudaSuccess) {
        printf("gpu=%d\terror=%s\n", device, cudaGetErrorName(status));
        return;
    }
    printf("gpu=%d\tname=%s\tcapability=%d%d\tmemory_mib=%zu\tl2_kib=%d\t", device, properties.name,
        properties.major, properties.minor, properties.totalGlobalMem / MIB,
        properties.l2CacheSize / KIB);
    printf("cooperative=%d\tconcurrent_managed=%d\n",
        attribute(cudaDevAttrCooperativeLaunch, device),
        attribute(cudaDevAttrConcurrentManagedAccess, device));
}

#ifdef __CUDACC__

enum { KERNEL_ANSWER = 42 };

static __global__ void answer_kernel(int *out)
{
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    block.sync();
    if (block.thread_rank() == 0) {
        *out = KERNEL_ANSWER;
    }
}

/* "ok", "wrong value", or the name of the first error. */
static const char *run_kernel(void)
{
    int *out = NULL;
    int got = 0;
    cudaError_t status = cudaMalloc((void **)&out, sizeof *out);
    if (status == cudaSuccess) {
        answer_kernel<<<1, 32>>>(out);
        status = cudaGetLastError();
    }
    if (status == cudaSuccess) {
        status = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    }
    cudaFree(out);
    if (status != cudaSuccess) {
        return cudaGetErrorName(status);
    }
    return got == KERNEL_ANSWER ? "ok" : "wrong value";
}

#else

static const char *run_kernel(void)
{
    return "not compiled";
}

#endif

int main(void)
{
    int driver = 0;
    int devices = 0;
    size_t free_bytes = 0;
    size_t total_bytes = 0;

    if (cudaDriverGetVersion(&driver) != cudaSuccess) {
        driver = 0;
    }
    printf("runtime=%d\ndriver=%d\n", CUDART_VERSION, driver);

    cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0) {
        printf("devices=0\nerror=%s\n", cudaGetErrorName(status));
        return 0;
    }
    printf("devices=%d\n", devices);
    for (int device = 0; device < devices; device++) {
        print_device(device);
    }

    status = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (status == cudaSuccess) {
        printf("free_mib=%zu\n", free_bytes / MIB);
    } else {
        printf("memory_error=%s\n", cudaGetErrorName(status));
    }
    printf("kernel=%s\n", run_kernel());
    return 0;
}
