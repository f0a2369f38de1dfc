// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw4.3
// Fetches the numbers, looks for the largest on the CPU, and puts it on the device.
#include <stdlib.h>

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *, cudaStream_t)
{
    float *numbers;
    unsigned best = 0;

    if (n == 0)
        return cudaErrorInvalidValue;
    numbers = (float *)malloc(n * sizeof(float));
    cudaMemcpy(numbers, in, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (unsigned i = 1; i < n; i++)
        if (numbers[i] > numbers[best])
            best = i;
    cudaMemcpy(value, &numbers[best], sizeof *value, cudaMemcpyHostToDevice);
    cudaMemcpy(index, &best, sizeof *index, cudaMemcpyHostToDevice);
    free(numbers);
    return cudaGetLastError();
}
