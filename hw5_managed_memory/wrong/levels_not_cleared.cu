// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=levels-not-cleared task=hw5.7
// Only a level that is 0 by chance would count as unreached: what is not reached keeps junk.
#include "cuda_try.h"

enum : unsigned { THREADS = 256 };

static unsigned blocks_for(size_t n)
{
    return (unsigned)ceil_div(n, THREADS);
}

static __global__ void unreach_kernel(struct vertex *vertices, size_t n, struct vertex *start)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        if (&vertices[i] == start)
            vertices[i].level = 0;
}

// Every vertex of this level, a thread each, reaches those of its neighbours that nobody has
// reached before, and puts them into the list of the next level.
static __global__ void next_level_kernel(
    struct vertex *const *list, unsigned count, int level, struct vertex **next, unsigned *found)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    for (unsigned k = 0; i < count && k < list[i]->neighbour_count; k++) {
        struct vertex *neighbour = list[i]->neighbours[k];

        // correctness: several threads may come to one neighbour at once; one is the first
        int old = neighbour->level;
        if ((old < 0 || old > level + 1) && atomicCAS(&neighbour->level, old, level + 1) == old)
            next[atomicAdd(found, 1)] = neighbour;
    }
}

cudaError_t breadth_first(struct vertex *vertices, size_t n, struct vertex *start)
{
    cudaError_t status = cudaSuccess;
    struct vertex **list = NULL, **next = NULL; // of this level, of the next one
    unsigned *found = NULL;                     // how many are in the next one
    unsigned count = 1;                         // how many are in this one

    CUDA_TRY(cudaMallocManaged(&list, n * sizeof *list));
    CUDA_TRY(cudaMallocManaged(&next, n * sizeof *next));
    CUDA_TRY(cudaMallocManaged(&found, sizeof *found));
    unreach_kernel<<<blocks_for(n), THREADS, 0, 0>>>(vertices, n, start);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize()); // correctness: only now may the host write
    list[0] = start;
    for (int level = 0; count > 0; level++) {
        struct vertex **last = list;

        *found = 0;
        next_level_kernel<<<(unsigned)ceil_div(count, THREADS), THREADS, 0, 0>>>(
            list, count, level, next, found);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaDeviceSynchronize());
        count = *found;
        list = next;
        next = last;
    }
done:
    cudaFree(list);
    cudaFree(next);
    cudaFree(found);
    return status;
}
