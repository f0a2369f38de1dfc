// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw1.3
// Fetches both matrices, multiplies on the CPU, and puts the product on the device.
#include <stdlib.h>

#include "cuda_try.h"

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t)
{
    const size_t a_count = shape.rows * shape.inner, b_count = shape.inner * shape.columns;
    const size_t c_count = shape.rows * shape.columns;
    float *x = (float *)calloc(a_count + b_count + c_count + 1, sizeof(float));
    float *y = x + a_count, *product = y + b_count;

    if (c_count > 0) {
        cudaMemcpy(x, a, a_count * sizeof(float), cudaMemcpyDeviceToHost);
        cudaMemcpy(y, b, b_count * sizeof(float), cudaMemcpyDeviceToHost);
    }
    for (size_t row = 0; row < shape.rows; row++)
        for (size_t k = 0; k < shape.inner; k++)
            for (size_t column = 0; column < shape.columns; column++)
                product[row * shape.columns + column] +=
                    x[row * shape.inner + k] * y[k * shape.columns + column];
    if (c_count > 0)
        cudaMemcpy(c, product, c_count * sizeof(float), cudaMemcpyHostToDevice);
    free(x);
    return cudaGetLastError();
}
