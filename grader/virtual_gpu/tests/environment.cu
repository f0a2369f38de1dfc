/* What variables of the environment, and mistakes of the host, change: run with one word, prints
 * what happened. runtime_test.sh compares. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void add_one_kernel(int *cells)
{
    cells[threadIdx.x] += 1;
}

static void say(cudaError_t status)
{
    printf("%s\n", cudaGetErrorName(status));
}

static int allocate(void)
{
    void *p = NULL;
    for (int i = 0; i < 4; i++)
        say(cudaMalloc(&p, 256));
    cudaGetLastError();
    say(cudaMemcpy(p, &p, sizeof p, cudaMemcpyHostToDevice));
    return 0;
}

static int count_devices(void)
{
    int count = -1;
    say(cudaGetDeviceCount(&count));
    printf("%d\n", count);
    say(cudaSetDevice(2));
    say(cudaFree(NULL));
    return 0;
}

static int ask_memory(void)
{
    size_t free_bytes = 0, total_bytes = 0;
    void *p = NULL;
    say(cudaMemGetInfo(&free_bytes, &total_bytes));
    printf("%zu\n", total_bytes);
    say(cudaMalloc(&p, (size_t)3 << 20));
    say(cudaMalloc(&p, (size_t)3 << 20));
    return 0;
}

static int dereference(void)
{
    int *d = NULL;
    say(cudaMalloc((void **)&d, 64));
    fflush(stdout);
    return d[0];
}

static int leak(void)
{
    void *p = NULL;
    say(cudaMalloc(&p, 1234));
    return 0;
}

static int launch(void)
{
    int *d = NULL, *pinned = NULL;
    say(cudaMalloc((void **)&d, 128));
    say(cudaMallocHost((void **)&pinned, 128));
    say(cudaMemset(d, 0, 128));
    add_one_kernel<<<1, 32>>>(d);
    say(cudaMemcpyAsync(pinned, d, 128, cudaMemcpyDeviceToHost, 0));
    printf("%s\n", pinned[31] == 1 ? "has run" : "has not run");
    say(cudaDeviceSynchronize());
    printf("%d\n", pinned[31]);
    say(cudaFree(d));
    say(cudaFreeHost(pinned));
    return 0;
}

static int unfinished(void)
{
    int *d = NULL;
    say(cudaMalloc((void **)&d, 128));
    say(cudaMemset(d, 0, 128));
    add_one_kernel<<<1, 32>>>(d);
    return 0; /* neither waits nor frees */
}

static void CUDART_CB leave(void *)
{
    exit(3);
}

/* The process ends in the middle of a stream's work. */
static int exit_inside(void)
{
    cudaLaunchHostFunc(0, leave, NULL);
    cudaDeviceSynchronize();
    return 0;
}

static int needs_gpu(void)
{
    cudaArray_t array = NULL;
    const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    say(cudaMallocArray(&array, &format, 16, 16));
    say(cudaGetLastError());
    return 0;
}

int main(int count, char **words)
{
    static const struct {
        const char *word;
        int (*run)(void);
    } modes[] = {{"allocate", allocate}, {"devices", count_devices}, {"memory", ask_memory},
        {"dereference", dereference}, {"leak", leak}, {"launch", launch},
        {"unfinished", unfinished}, {"exit", exit_inside}, {"needs-gpu", needs_gpu}};
    for (const auto &mode : modes)
        if (count == 2 && strcmp(words[1], mode.word) == 0)
            return mode.run();
    return 2;
}
