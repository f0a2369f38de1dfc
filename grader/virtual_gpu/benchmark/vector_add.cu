/* Sum of two vectors of 2^20 floats. */
#include "benchmark.h"

constexpr size_t n = (size_t)1 << 20;
constexpr unsigned block = 256;

static float *left, *right, *sum;

__global__ void vector_add_kernel(const float *left, const float *right, float *sum, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[i] = left[i] + right[i];
}

static void launch()
{
    vector_add_kernel<<<n / block, block>>>(left, right, sum, n);
}

static float left_value(size_t i)
{
    return (float)(i % 1013);
}

static float right_value(size_t i)
{
    return (float)(i % 769);
}

int main()
{
    left = device_floats(n, left_value);
    right = device_floats(n, right_value);
    must(cudaMalloc((void **)&sum, n * sizeof *sum));
    benchmark(launch);
    float *got = host_floats(sum, n);
    bool is_right = true;
    for (size_t i = 0; i < n; i++)
        is_right = is_right && got[i] == left_value(i) + right_value(i);
    free(got);
    must(cudaFree(left));
    must(cudaFree(right));
    must(cudaFree(sum));
    return verdict(is_right);
}
