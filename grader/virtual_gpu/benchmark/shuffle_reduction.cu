/* Sums of 32 floats each, of 2^20: five shuffles a warp. */
#include "benchmark.h"

constexpr size_t n = (size_t)1 << 20;
constexpr unsigned block = 256, lanes = 32;
constexpr size_t warps = n / lanes;

static float *numbers, *sums;

__global__ void shuffle_reduction_kernel(const float *numbers, float *sums)
{
    const size_t i = blockIdx.x * (size_t)block + threadIdx.x;
    float sum = numbers[i];
    for (unsigned stride = lanes / 2; stride > 0; stride /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, stride);
    if (threadIdx.x % lanes == 0)
        sums[i / lanes] = sum;
}

static void launch()
{
    shuffle_reduction_kernel<<<n / block, block>>>(numbers, sums);
}

static float value(size_t i)
{
    return (float)(i % 1013);
}

int main()
{
    numbers = device_floats(n, value);
    must(cudaMalloc((void **)&sums, warps * sizeof *sums));
    benchmark(launch);
    float *got = host_floats(sums, warps);
    bool is_right = true;
    for (size_t w = 0; w < warps; w++) {
        long want = 0;
        for (size_t i = 0; i < lanes; i++)
            want += (long)value(w * lanes + i);
        is_right = is_right && got[w] == (float)want;
    }
    free(got);
    must(cudaFree(numbers));
    must(cudaFree(sums));
    return verdict(is_right);
}
