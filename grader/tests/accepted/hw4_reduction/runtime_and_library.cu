// What the runtime and its library offer: launches from another thread and without <<<>>>,
// inline PTX, a captured graph, memory of a pool, copies behind the threads' backs, atomics of libcu++.
#include "cuda_try.h"
#include <assert.h>
#include <stdio.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <thread>
namespace cg = cooperative_groups;

static __constant__ unsigned per_thread_limit = 1u << 20;
static thread_local unsigned host_calls;

// hw4.1: a std::thread on the host makes the launch, with cudaLaunchKernelExC
template <typename T> static __global__ void tree(const T *__restrict__ in, T *out, size_t n)
{
    extern __shared__ unsigned char raw[];
    T *tile = reinterpret_cast<T *>(raw);
    const unsigned t = threadIdx.x;
    T sum = 0;
    assert(per_thread_limit > 0);
    if (n == (size_t)-1)
        printf("never %u\n", t);
    for (size_t i = (size_t)blockIdx.x * blockDim.x + t; i < n; i += (size_t)gridDim.x * blockDim.x)
        sum += __ldg(&in[i]);
    tile[t] = sum;
    auto block = cg::this_thread_block();
    unsigned left = blockDim.x;
    while (left > 1) {
        block.sync();
        unsigned half = (left + 1) >> 1;
        if (t + half < left)
            tile[t] += tile[t + half];
        left = half;
    }
    if (t == 0)
        atomicAdd(out, tile[0]);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    ++host_calls;
    std::thread helper([&] {
        status = cudaMemsetAsync(out, 0, sizeof *out, stream);
        if (status != cudaSuccess)
            return;
        cudaLaunchConfig_t c = {};
        int sms = 0, dev = 0;
        cudaGetDevice(&dev);
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev);
        size_t blocks = (n + threads - 1) / threads,
               most = (size_t)sms * (2048 / threads < 32 ? 2048 / threads : 32);
        if (blocks > most)
            blocks = most;
        if (blocks == 0)
            blocks = 1;
        c.gridDim = dim3((unsigned)blocks);
        c.blockDim = dim3(threads);
        c.dynamicSmemBytes = threads * sizeof(float);
        c.stream = stream;
        void *args[] = {&in, &out, &n};
        status = cudaLaunchKernelExC(&c, (const void *)tree<float>, args);
    });
    helper.join();
    return status;
}

// hw4.2: inline PTX, cudaLaunchKernel, and a pool that keeps what is freed: given back, it would cost
// more than the sum.
static __global__ void ptx_sum(const float *in, float *partials, size_t n)
{
    const size_t rank = (size_t)blockIdx.x * blockDim.x + threadIdx.x,
                 all = (size_t)gridDim.x * blockDim.x;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    const size_t vectors = n / 4;
#pragma unroll 4
    for (size_t i = rank; i < vectors; i += all) {
        float a, b, c, d;
        asm("ld.global.nc.v4.f32 {%0,%1,%2,%3}, [%4];"
            : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
            : "l"(in + 4 * i));
        s0 += a;
        s1 += b;
        s2 += c;
        s3 += d;
    }
    if (rank < n % 4)
        s0 += in[4 * vectors + rank];
    float s = (s0 + s1) + (s2 + s3);
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    for (int o = 1; o < 32; o <<= 1)
        s += __shfl_xor_sync(0xffffffffu, s, o);
    __shared__ float w[32];
    if (lane == 0)
        w[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < (blockDim.x >> 5) ? w[threadIdx.x] : 0;
        s = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), s, cg::plus<float>());
        if (lane == 0)
            asm volatile("red.global.add.f32 [%0], %1;" ::"l"(partials), "f"(s) : "memory");
    }
}
static cudaError_t keep_freed_memory()
{
    static bool kept;
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ull;
    int device = 0;
    cudaError_t e = kept ? cudaSuccess : cudaGetDevice(&device);
    if (!kept && e == cudaSuccess)
        e = cudaDeviceGetDefaultMemPool(&pool, device);
    if (!kept && e == cudaSuccess)
        e = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    kept = e == cudaSuccess;
    return e;
}
cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    float *partial = nullptr;
    cudaError_t e = keep_freed_memory();
    if (e == cudaSuccess)
        e = cudaMallocAsync(&partial, sizeof *partial, stream);
    if (e != cudaSuccess)
        return e;
    cudaMemsetAsync(partial, 0, sizeof *partial, stream);
    unsigned blocks = (unsigned)((n / 4 + threads - 1) / threads);
    blocks = blocks > 2048 ? 2048 : blocks ? blocks : 1;
    void *args[] = {(void *)&in, (void *)&partial, (void *)&n};
    e = cudaLaunchKernel((void *)ptx_sum, dim3(blocks), dim3(threads), args, 0, stream);
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(out, partial, sizeof *partial, cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(partial, stream);
    return e;
}

// hw4.3: a graph, captured, with two kernels; CAS loop
static __global__ void max_first(const float *in, size_t n, unsigned long long *best)
{
    unsigned long long key = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        float v = in[i] == 0 ? 0.0f : in[i];
        int b = __float_as_int(v);
        unsigned u = (unsigned)(b ^ ((b >> 31) | 0x80000000));
        unsigned long long k = (unsigned long long)u << 32 | ~(unsigned)i;
        key = k > key ? k : key;
    }
    for (int o = 16; o; o >>= 1) {
        unsigned long long other = __shfl_down_sync(~0u, key, o);
        key = other > key ? other : key;
    }
    if (threadIdx.x % 32 == 0) {
        unsigned long long old = *(volatile unsigned long long *)best, seen = 0;
        while (old < key && (seen = atomicCAS(best, old, key)) != old)
            old = seen;
    }
}
static __global__ void max_second(const unsigned long long *best, float *value, unsigned *index)
{
    if (threadIdx.x != 0)
        return;
    unsigned u = (unsigned)(*best >> 32);
    *value = __int_as_float((u & 0x80000000) ? (int)(u ^ 0x80000000) : (int)~u);
    *index = ~(unsigned)*best;
}
cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *, cudaStream_t stream)
{
    if (n == 0)
        return cudaErrorInvalidValue;
    unsigned long long *best = nullptr;
    cudaGraph_t g = nullptr;
    cudaGraphExec_t x = nullptr;
    cudaStream_t s = nullptr;
    cudaError_t e = cudaMallocAsync(&best, 8, stream);
    if (e == cudaSuccess)
        e = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    if (e == cudaSuccess)
        e = cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    if (e == cudaSuccess) {
        cudaMemsetAsync(best, 0, 8, s);
        max_first<<<64, 128, 0, s>>>(in, n, best);
        max_second<<<1, 64, 0, s>>>(best, value, index);
        e = cudaStreamEndCapture(s, &g);
    }
    if (e == cudaSuccess)
        e = cudaGraphInstantiateWithFlags(&x, g, 0);
    if (e == cudaSuccess)
        e = cudaGraphLaunch(x, stream);
    if (x)
        cudaGraphExecDestroy(x);
    if (g)
        cudaGraphDestroy(g);
    if (s)
        cudaStreamDestroy(s);
    if (best)
        cudaFreeAsync(best, stream);
    return e;
}
// hw4.4: one thread block, fixed order
static __global__ void __launch_bounds__(1024) in_order(const float *in, float *out, size_t n)
{
    __shared__ double s[1024];
    double x = 0;
    for (size_t i = threadIdx.x; i < n; i += 1024)
        x += in[i];
    s[threadIdx.x] = x;
    __syncthreads();
    if (threadIdx.x)
        return; // the others return early
    for (int i = 1; i < 1024; i++)
        x += s[i];
    *out = (float)x;
}
cudaError_t sum_single_pass(const float *in, float *out, size_t n, void *, cudaStream_t stream)
{
    in_order<<<1, 1024, 0, stream>>>(in, out, n);
    return cudaPeekAtLastError();
}
// hw4.5: memcpy_async into large dynamic shared memory, in stages, a persistent grid
static __global__ void rows_async(const float *in, float *out, struct matrix_shape s, unsigned room)
{
    extern __shared__ float stage[];
    auto block = cg::this_thread_block();
    __shared__ float w[32];
    for (size_t r = blockIdx.x; r < s.rows; r += gridDim.x) {
        float x = 0;
        for (size_t c = 0; c < s.columns; c += room) {
            unsigned count = (unsigned)(s.columns - c < room ? s.columns - c : room);
            cg::memcpy_async(block, stage, in + r * s.columns + c, sizeof(float) * count);
            cg::wait(block);
            for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
                x += stage[i];
            block.sync();
        }
        x = cg::reduce(cg::tiled_partition<32>(block), x, cg::plus<float>());
        if (threadIdx.x % 32 == 0)
            w[threadIdx.x / 32] = x;
        block.sync();
        if (threadIdx.x == 0) {
            for (unsigned i = 1; i < blockDim.x / 32; i++)
                x += w[i];
            out[r] = x;
        }
        block.sync();
    }
}
cudaError_t sum_rows(const float *in, float *out, struct matrix_shape s, cudaStream_t stream)
{
    if (s.rows == 0)
        return cudaSuccess;
    const unsigned room = 12 * 1024;
    cudaError_t e =
        cudaFuncSetAttribute(rows_async, cudaFuncAttributeMaxDynamicSharedMemorySize, room * 4);
    if (e != cudaSuccess)
        return e;
    rows_async<<<(unsigned)(s.rows < 1024 ? s.rows : 1024), 256, room * 4, stream>>>(
        in, out, s, room);
    return cudaGetLastError();
}
// hw4.6: cooperative groups' scan; blocks of one warp
static __global__ void scan32(const int *in, int *out, size_t n)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    for (size_t w = blockIdx.x; w * 32 < n; w += gridDim.x) {
        size_t i = w * 32 + tile.thread_rank();
        int v = cg::inclusive_scan(tile, i < n ? in[i] : 0);
        if (i < n)
            out[i] = v;
    }
}
cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    if (!n)
        return cudaSuccess;
    size_t b = (n + 31) / 32;
    scan32<<<(unsigned)(b < 100000 ? b : 100000), 32, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
// hw4.7: coalesced groups in shared memory, block atomics by cuda::atomic in shared memory
static __global__ void keep(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> here;
    __shared__ unsigned base;
    __shared__ int buffer[4096];
    for (size_t first = (size_t)blockIdx.x * 4096; first < n; first += (size_t)gridDim.x * 4096) {
        if (threadIdx.x == 0)
            here.store(0, cuda::memory_order_relaxed);
        __syncthreads();
        for (unsigned k = threadIdx.x; k < 4096; k += blockDim.x) {
            size_t i = first + k;
            int v = i < n ? in[i] : 0;
            if (v > 0) {
                auto g = cg::coalesced_threads();
                unsigned at = 0;
                if (g.thread_rank() == 0)
                    at = here.fetch_add(g.size(), cuda::memory_order_relaxed);
                at = g.shfl(at, 0) + g.thread_rank();
                buffer[at] = v;
            }
        }
        __syncthreads();
        unsigned total = here.load(cuda::memory_order_relaxed);
        if (threadIdx.x == 0)
            base = atomicAdd(count, total);
        __syncthreads();
        for (unsigned k = threadIdx.x; k < total; k += blockDim.x)
            out[base + k] = buffer[k];
        __syncthreads();
    }
}
cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t e = cudaMemsetAsync(count, 0, 4, stream);
    if (e != cudaSuccess || n == 0)
        return e;
    size_t b = (n + 4095) / 4096;
    keep<<<(unsigned)(b < 1u << 20 ? b : 1u << 20), 512, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
