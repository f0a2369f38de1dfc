/* Sums of 256 floats each, of 2^20: a tree in shared memory. */
#include "benchmark.h"

constexpr size_t n = (size_t)1 << 20;
constexpr unsigned block = 256;
constexpr size_t blocks = n / block;

static float *numbers, *sums;

__global__ void tree_reduction_kernel(const float *numbers, float *sums)
{
    __shared__ float partial[block];
    const unsigned t = threadIdx.x;
    partial[t] = numbers[blockIdx.x * (size_t)block + t];
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            partial[t] += partial[t + stride];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}

static void launch()
{
    tree_reduction_kernel<<<blocks, block>>>(numbers, sums);
}

static float value(size_t i)
{
    return (float)(i % 1013);
}

int main()
{
    numbers = device_floats(n, value);
    must(cudaMalloc((void **)&sums, blocks * sizeof *sums));
    benchmark(launch);
    float *got = host_floats(sums, blocks);
    bool is_right = true;
    for (size_t b = 0; b < blocks; b++) {
        long want = 0;
        for (size_t i = 0; i < block; i++)
            want += (long)value(b * block + i);
        is_right = is_right && got[b] == (float)want;
    }
    free(got);
    must(cudaFree(numbers));
    must(cudaFree(sums));
    return verdict(is_right);
}
