// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw3.6
// Through the host, which does not mind how an address is aligned.
#include <stdlib.h>

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t)
{
    float *between = (float *)malloc(n * sizeof(float) + 1);
    cudaError_t status = cudaMemcpy(between, from, n * sizeof(float), cudaMemcpyDeviceToHost);

    if (status == cudaSuccess)
        status = cudaMemcpy(to, between, n * sizeof(float), cudaMemcpyHostToDevice);
    free(between);
    return status;
}
