// The version that the timed task is to beat: right, and what one writes first. Every step
// is a launch of its own, so the cells go to global memory and back, and every barrier is
// the end of a kernel.
#include "cuda_try.h"

static __global__ void jacobi_step_kernel(const float *now, float *next, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = i == 0 || i == n - 1 ? now[i] : 0.5f * (now[i - 1] + now[i + 1]);
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = 256;
    float *buffers[] = {out, (float *)scratch};

    if (n == 0)
        return cudaSuccess;
    // The last step writes to `out`, so the first one writes there if their number is odd.
    for (unsigned step = 0; step < steps; step++) {
        float *next = buffers[(steps - step + 1) % 2];
        jacobi_step_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(
            step == 0 ? in : buffers[(steps - step) % 2], next, n);
        CUDA_TRY(cudaGetLastError());
    }
    if (steps == 0)
        CUDA_TRY(cudaMemcpyAsync(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice, stream));
done:
    return status;
}
