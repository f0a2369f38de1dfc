/* Host threads: errors and current devices are theirs alone; and, when this is compiled with
 * -default-stream per-thread, so is the default stream. */
#include "check.h"

#include <thread>

enum { N = 1000, THREADS = 4, ROUNDS = 20 };

__global__ void add_kernel(int *cells, int amount, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i] += amount;
}

/* No checks in here: they are not for several threads at once. Returns what went wrong. */
static int work(int amount)
{
    int *d = NULL, h[N], wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            h[i] = i;
        wrong += cudaMalloc((void **)&d, sizeof h) != cudaSuccess;
        wrong += cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice) != cudaSuccess;
        add_kernel<<<(N + 127) / 128, 128>>>(d, amount, N);
        wrong += cudaGetLastError() != cudaSuccess;
        wrong += cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess;
        wrong += cudaFree(d) != cudaSuccess;
        for (int i = 0; i < N; i++)
            wrong += h[i] != i + amount;
    }
    return wrong;
}

static void threads_work_side_by_side(void)
{
    std::thread threads[THREADS];
    int wrong[THREADS];
    for (int i = 0; i < THREADS; i++)
        threads[i] = std::thread([&, i] { wrong[i] = work(i + 1); });
    for (int i = 0; i < THREADS; i++) {
        threads[i].join();
        CHECK(wrong[i] == 0);
    }
}

static void errors_are_a_threads_own(void)
{
    cudaError_t theirs = cudaErrorUnknown;
    CHECK_CALL(cudaSetDevice(99), cudaErrorInvalidDevice);
    std::thread([&] { theirs = cudaGetLastError(); }).join();
    CHECK(theirs == cudaSuccess);
    CHECK_CALL(cudaGetLastError(), cudaErrorInvalidDevice);
}

/* A kernel that another thread's default stream holds up is not waited for, unless all threads
 * share the legacy stream. */
static void default_streams(void)
{
    int *cell = NULL, *seen = NULL;
    OK(cudaMalloc((void **)&cell, sizeof *cell));
    OK(cudaMallocHost((void **)&seen, sizeof *seen));
    OK(cudaMemset(cell, 0, sizeof *cell));
    OK(cudaDeviceSynchronize());
    add_kernel<<<1, 1>>>(cell, 1, 1);
    std::thread([=] {
        cudaMemcpyAsync(seen, cell, sizeof *cell, cudaMemcpyDeviceToHost, 0);
        cudaStreamSynchronize(0);
    }).join();
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    CHECK(*seen == 0);
#else
    CHECK(*seen == 1);
#endif
    OK(cudaDeviceSynchronize());
    OK(cudaFree(cell));
    OK(cudaFreeHost(seen));
}

int main(void)
{
    threads_work_side_by_side();
    errors_are_a_threads_own();
    default_streams();
    return check_result("threads");
}
