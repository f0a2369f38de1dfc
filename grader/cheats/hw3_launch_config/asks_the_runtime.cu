// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-residency task=hw3.3
// The runtime knows the answer, for the GPU that is there and a kernel that exists.
static __global__ void some_kernel()
{
}

cudaError_t count_resident(
    const struct gpu *, const struct block_needs *needs, struct residency *found)
{
    int blocks = 0;

    if (needs->threads == 0)
        return cudaErrorInvalidValue;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, some_kernel, (int)needs->threads, needs->shared_bytes) != cudaSuccess)
        blocks = 0;
    (void)cudaGetLastError();
    found->blocks = (unsigned)blocks;
    found->limiter = blocks == 32 ? LIMITED_BY_BLOCKS : LIMITED_BY_WARPS;
    return cudaSuccess;
}
