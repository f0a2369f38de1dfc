// finding=leak line=0
// cudaMallocHost needs cudaFreeHost.
#include <cuda_runtime.h>

int main()
{
    int *pinned;
    cudaMallocHost(&pinned, 4096);
    pinned[0] = 1;
}
