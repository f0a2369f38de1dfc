/* A program that takes over calls of the runtime, as a grader does, sees its own calls and no
 * others: the runtime never calls itself through its exported functions. */
#include "check.h"

extern "C" int interposed_calls;

__global__ void add_one_kernel(int *cells)
{
    cells[threadIdx.x] += 1;
}

int main(void)
{
    int *d = NULL, h[32] = {0};
    char *p = NULL, *pinned = NULL;
    size_t pitch = 0;
    OK(cudaMallocPitch((void **)&p, &pitch, 100, 4));
    OK(cudaMemcpy2D(p, pitch, h, 16, 16, 4, cudaMemcpyHostToDevice));
    OK(cudaMemset2D(p, pitch, 0, 16, 4));
    CHECK(interposed_calls == 0);
    OK(cudaMalloc((void **)&d, sizeof h));
    CHECK(interposed_calls == 1);
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(interposed_calls == 2);
    add_one_kernel<<<1, 32>>>(d);
    CHECK(interposed_calls == 2);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    CHECK(interposed_calls == 4);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(interposed_calls == 5 && h[0] == 1 && h[31] == 1);
    OK(cudaMallocHost((void **)&pinned, 16));
    CHECK(interposed_calls == 6);
    OK(cudaFreeHost(pinned));
    CHECK(interposed_calls == 6);
    OK(cudaFree(d));
    OK(cudaFree(p));
    CHECK(interposed_calls == 8);
    return check_result("interpose");
}
