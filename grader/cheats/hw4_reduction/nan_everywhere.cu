// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-nan task=hw4.5
// NaN, which no careless comparison finds to be wrong.
static __global__ void write_nan(float *out, size_t rows)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < rows)
        out[row] = __uint_as_float(0x7fffffff);
}

cudaError_t sum_rows(const float *, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        write_nan<<<(unsigned)(shape.rows / 256 + 1), 256, 0, stream>>>(out, shape.rows);
    return cudaGetLastError();
}
