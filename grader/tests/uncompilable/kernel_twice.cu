// A second try below the first. task=hw1.1 line=11 says=This name is defined twice
static __global__ void add_kernel(const float *a, const float *b, float *sum, size_t count)
{
    // TODO(hw1.1): one element in each thread.
    size_t i = threadIdx.x;
    sum[i] = a[i] + b[i] + count;
    // END(hw1.1)
}

// TODO(hw1.1): one element in each thread.
static __global__ void add_kernel(const float *a, const float *b, float *sum, size_t count)
{
    size_t i = threadIdx.x;
    if (i < count)
        sum[i] = a[i] + b[i];
}
// END(hw1.1)
