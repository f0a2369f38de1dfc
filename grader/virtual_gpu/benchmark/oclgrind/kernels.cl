/* The kernels of vector_add.cu and matrix_multiply.cu in OpenCL. */
#define TILE 16

__kernel void vector_add(
    __global const float *left, __global const float *right, __global float *sum, uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        sum[i] = left[i] + right[i];
}

__kernel void matrix_multiply(
    __global const float *left, __global const float *right, __global float *product, uint order)
{
    __local float left_tile[TILE][TILE];
    __local float right_tile[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint column = get_group_id(0) * TILE + x;
    const uint row = get_group_id(1) * TILE + y;
    float sum = 0;
    for (uint first = 0; first < order; first += TILE) {
        left_tile[y][x] = left[row * order + first + x];
        right_tile[y][x] = right[(first + y) * order + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum += left_tile[y][k] * right_tile[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    product[row * order + column] = sum;
}
