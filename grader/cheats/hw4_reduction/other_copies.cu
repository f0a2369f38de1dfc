// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw4.1
// The host adds up, with its input from a copy in three dimensions (hw4.1), by a graph (hw4.2) or
// from a symbol (hw4.5), and a kernel writes what it is given.
#include "cuda_try.h"
#include <vector>
static __global__ void put(float *out, float v)
{
    *out = v;
}
static float sum(const float *h, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += h[i];
    return (float)s;
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned, cudaStream_t stream)
{
    std::vector<float> h(n);
    if (n) {
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr((void *)in, 4 * n, 4 * n, 1);
        p.dstPtr = make_cudaPitchedPtr(h.data(), 4 * n, 4 * n, 1);
        p.extent = make_cudaExtent(4 * n, 1, 1);
        p.kind = cudaMemcpyDeviceToHost;
        cudaMemcpy3D(&p);
    }
    put<<<1, 1, 0, stream>>>(out, sum(h.data(), n));
    return cudaGetLastError();
}
cudaError_t sum_shuffle(const float *in, float *out, size_t n, unsigned, cudaStream_t stream)
{
    std::vector<float> h(n);
    if (n) {
        cudaGraph_t g;
        cudaGraphNode_t node;
        cudaGraphExec_t x;
        cudaGraphCreate(&g, 0);
        cudaGraphAddMemcpyNode1D(&node, g, NULL, 0, h.data(), in, 4 * n, cudaMemcpyDeviceToHost);
        cudaGraphInstantiateWithFlags(&x, g, 0);
        cudaGraphLaunch(x, stream);
        cudaStreamSynchronize(stream);
        cudaGraphExecDestroy(x);
        cudaGraphDestroy(g);
    }
    put<<<1, 1, 0, stream>>>(out, sum(h.data(), n));
    return cudaGetLastError();
}
static __device__ float sym[1 << 24];
cudaError_t sum_rows(const float *in, float *out, struct matrix_shape s, cudaStream_t stream)
{
    size_t n = s.rows * s.columns;
    if (n > (1 << 24))
        return cudaErrorInvalidValue;
    std::vector<float> h(n);
    if (n) {
        cudaMemcpyToSymbol(sym, in, 4 * n, 0, cudaMemcpyDeviceToDevice);
        cudaMemcpyFromSymbol(h.data(), sym, 4 * n);
    }
    for (size_t r = 0; r < s.rows; r++)
        put<<<1, 1, 0, stream>>>(out + r, sum(h.data() + r * s.columns, s.columns));
    return cudaGetLastError();
}
