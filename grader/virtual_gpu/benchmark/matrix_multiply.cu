/* Product of two square matrices of floats, by tiles of 16 x 16 in shared memory. */
#include "benchmark.h"

#ifndef MATRIX_ORDER
#define MATRIX_ORDER 512
#endif

constexpr unsigned order = MATRIX_ORDER;
constexpr unsigned tile = 16;
constexpr size_t cells = (size_t)order * order;

static float *left, *right, *product;

__global__ void matrix_multiply_kernel(const float *left, const float *right, float *product)
{
    __shared__ float left_tile[tile][tile];
    __shared__ float right_tile[tile][tile];
    const unsigned column = blockIdx.x * tile + threadIdx.x;
    const unsigned row = blockIdx.y * tile + threadIdx.y;
    float sum = 0;
    for (unsigned first = 0; first < order; first += tile) {
        left_tile[threadIdx.y][threadIdx.x] = left[row * order + first + threadIdx.x];
        right_tile[threadIdx.y][threadIdx.x] = right[(first + threadIdx.y) * order + column];
        __syncthreads();
        for (unsigned k = 0; k < tile; k++)
            sum += left_tile[threadIdx.y][k] * right_tile[k][threadIdx.x];
        __syncthreads();
    }
    product[row * order + column] = sum;
}

static void launch()
{
    const dim3 block(tile, tile), grid(order / tile, order / tile);
    matrix_multiply_kernel<<<grid, block>>>(left, right, product);
}

static float left_value(size_t i)
{
    return (float)(i % 31);
}

static float right_value(size_t i)
{
    return (float)(i % 29);
}

/* Every product and sum is an integer below 2^24, so the order of additions does not matter. */
static bool row_is_right(const float *got, size_t row)
{
    bool is_right = true;
    for (size_t column = 0; column < order; column++) {
        long want = 0;
        for (size_t k = 0; k < order; k++)
            want += (long)left_value(row * order + k) * (long)right_value(k * order + column);
        is_right = is_right && got[row * order + column] == (float)want;
    }
    return is_right;
}

int main()
{
    left = device_floats(cells, left_value);
    right = device_floats(cells, right_value);
    must(cudaMalloc((void **)&product, cells * sizeof *product));
    benchmark(launch);
    float *got = host_floats(product, cells);
    bool is_right = true;
    for (size_t row = 0; row < order; row++)
        is_right = is_right && row_is_right(got, row);
    free(got);
    must(cudaFree(left));
    must(cudaFree(right));
    must(cudaFree(product));
    return verdict(is_right);
}
