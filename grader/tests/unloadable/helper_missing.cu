// A function of the host that is declared, called and defined nowhere. says=it calls plus(float, float), which no part of the file defines
float plus(float x, float y);

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = plus(a[i], b[i]);
    return cudaSuccess;
}
