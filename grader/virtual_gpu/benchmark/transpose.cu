/* Transpose of a 1024 x 1024 matrix of floats, by padded tiles of 32 x 32 in shared memory. */
#include "benchmark.h"

constexpr unsigned order = 1024;
constexpr unsigned tile = 32, rows = 8;
constexpr size_t cells = (size_t)order * order;

static float *matrix, *transposed;

__global__ void transpose_kernel(const float *matrix, float *transposed)
{
    __shared__ float cell[tile][tile + 1]; /* speed: a column touches 32 banks */
    const unsigned x = threadIdx.x, left = blockIdx.x * tile, top = blockIdx.y * tile;
    for (unsigned y = threadIdx.y; y < tile; y += rows)
        cell[y][x] = matrix[(top + y) * order + left + x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < tile; y += rows)
        transposed[(left + y) * order + top + x] = cell[x][y];
}

static void launch()
{
    const dim3 block(tile, rows), grid(order / tile, order / tile);
    transpose_kernel<<<grid, block>>>(matrix, transposed);
}

static float value(size_t i)
{
    return (float)i;
}

int main()
{
    matrix = device_floats(cells, value);
    must(cudaMalloc((void **)&transposed, cells * sizeof *transposed));
    benchmark(launch);
    float *got = host_floats(transposed, cells);
    bool is_right = true;
    for (size_t row = 0; row < order; row++)
        for (size_t column = 0; column < order; column++)
            is_right = is_right && got[row * order + column] == value(column * order + row);
    free(got);
    must(cudaFree(matrix));
    must(cudaFree(transposed));
    return verdict(is_right);
}
