// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=matrix-read-again task=hw7.3
// One pass, but the row is read again for every two vectors: from the L1 cache, which is fast enough,
// as long as the rows of all warps of an SM lie in it.
#include "cuda_try.h"

static __device__ float product(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// The sums of a lane for two vectors, of which one may be missing.
static __device__ void add_two(
    const float *row, const float *in, size_t columns, size_t left, float (&sums)[2])
{
    const float *second = left > 1 ? in + columns : in;
    const size_t wide =
        columns % 4 == 0 && (size_t)row % 16 == 0 && (size_t)in % 16 == 0 ? columns / 4 : 0;
    sums[0] = sums[1] = 0.0f;
#pragma unroll 4
    for (size_t c = threadIdx.x % 32; c < wide; c += 32) {
        const float4 m = ((const float4 *)row)[c];
        sums[0] += product(m, ((const float4 *)in)[c]);
        sums[1] += product(m, ((const float4 *)second)[c]);
    }
    for (size_t c = 4 * wide + threadIdx.x % 32; c < columns; c += 32) {
        sums[0] += row[c] * in[c];
        sums[1] += row[c] * second[c];
    }
}

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape, size_t vectors)
{
    const size_t row = blockIdx.x * (size_t)4 + threadIdx.x / 32;
    if (row >= shape.rows)
        return;
    for (size_t first = 0; first < vectors; first += 2) {
        float sums[2];
        add_two(matrix + row * shape.columns, in + first * shape.columns, shape.columns,
            vectors - first, sums);
#pragma unroll
        for (unsigned v = 0; v < 2; v++) {
            for (unsigned offset = 16; offset > 0; offset /= 2)
                sums[v] += __shfl_down_sync(0xffffffff, sums[v], offset);
            if (first + v < vectors && threadIdx.x % 32 == 0)
                out[(first + v) * shape.rows + row] = sums[v];
        }
    }
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    if (shape.rows > 0 && vectors > 0)
        multiply<<<(unsigned)ceil_div(shape.rows, 4), 128, 0, stream>>>(
            matrix, in, out, shape, vectors);
    return cudaGetLastError();
}
