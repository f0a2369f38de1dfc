// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=loads-an-output task=hw2.2
// Right and fast enough: three outputs a thread, each number read from the tile by itself. That is 35
// reads for three outputs, and the loads that fill the tile.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, THREADS = 256, OUTPUTS = 3, PART = THREADS * OUTPUTS;
constexpr unsigned CELLS = PART + 2 * R;

static __device__ float element(const float *in, size_t n, size_t shifted)
{
    return shifted >= R && shifted - R < n ? in[shifted - R] : 0.0f;
}

static __device__ void fill(const float *in, size_t n, size_t first, float2 *tile)
{
    const bool inside = first >= R && first - R + CELLS <= n;

#pragma unroll
    for (unsigned c = threadIdx.x; c < CELLS / 2; c += THREADS)
        tile[c] =
            inside ? ((const float2 *)(in + first - R))[c]
                   : make_float2(element(in, n, first + 2 * c), element(in, n, first + 2 * c + 1));
}

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    __shared__ float2 tile[CELLS / 2];
    const size_t first = blockIdx.x * (size_t)PART, mine = first + threadIdx.x * OUTPUTS;
    float sum[OUTPUTS] = {0.0f};

    fill(in, n, first, tile);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * R; k++) {
        const float x = ((const float *)tile)[threadIdx.x * OUTPUTS + k];
#pragma unroll
        for (unsigned o = 0; o < OUTPUTS; o++)
            if (k >= o && k - o <= 2 * R)
                sum[o] += w.at[k - o] * x;
    }
#pragma unroll
    for (unsigned o = 0; o < OUTPUTS; o++)
        if (mine + o < n)
            out[mine + o] = sum[o];
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        stencil<<<(unsigned)ceil_div(n, PART), THREADS, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}
