// expect: global-race at "reads the others" and "publishes"
#include <cuda_runtime.h>
__global__ void reduce(const float *in, float *partial, float *out, unsigned *ticket)
{
    __shared__ float tile[128];
    __shared__ bool last;
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step)
            tile[t] += tile[t + step];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = tile[0]; // publishes
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += partial[i]; // reads the others
        *out = sum;
    }
}
int main()
{
    float *in, *partial, *out;
    unsigned *ticket;
    cudaMalloc(&in, 16 * 128 * 4);
    cudaMalloc(&partial, 64);
    cudaMalloc(&out, 4);
    cudaMalloc(&ticket, 4);
    cudaMemset(in, 0, 16 * 128 * 4);
    cudaMemset(ticket, 0, 4);
    reduce<<<16, 128>>>(in, partial, out, ticket);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(partial);
    cudaFree(out);
    cudaFree(ticket);
}
