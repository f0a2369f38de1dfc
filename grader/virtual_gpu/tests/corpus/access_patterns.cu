/* One launch for every way of addressing memory, and what it costs: requests, sectors, wavefronts,
 * bank conflicts. On the virtual GPU the program prints a row for each, to be compared with
 * access_patterns.tsv: kernels with these patterns were read with Nsight Compute 2025.3 on an H200
 * (CUDA 13.0, -O3 -arch=sm_90, metrics l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st},
 * l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st} and l1tex__data_bank_conflicts_…, sums of a
 * launch).  On a GPU it only runs, to be profiled.
 *
 * Every launch has four blocks of 128 threads, each of which moves one element.
 */
#include "../../vgpu.h"
#include "corpus.h"

#include <dlfcn.h>

enum { BLOCKS = 4, THREADS = 128, ALL = BLOCKS * THREADS, SHARED_BYTES = 32768, BYTES = 1 << 17 };

__device__ unsigned global_thread(void)
{
    return blockIdx.x * THREADS + threadIdx.x;
}

/* ---- places: which element a thread takes ---------------------------------------------------- */

template <unsigned Step, unsigned Shift = 0> struct every {
    static __device__ unsigned of(unsigned i)
    {
        return i * Step + Shift;
    }
};

struct backwards {
    static __device__ unsigned of(unsigned i)
    {
        return ALL - 1 - i;
    }
};

/* Multiplicative hashing: 4096 places, no two neighbours near each other. */
struct scattered {
    static __device__ unsigned of(unsigned i)
    {
        return i * 2654435761u >> 20;
    }
};

/* Half warps in two rows that are far apart. */
struct two_rows {
    static __device__ unsigned of(unsigned i)
    {
        return i % 16 + i / 16 % 2 * 1024;
    }
};

template <unsigned Step> struct next_of_every {
    static __device__ unsigned of(unsigned t)
    {
        return (t + 1) % THREADS * Step;
    }
};

/* Not linear in t, so that some banks get several words. */
struct irregular {
    static __device__ unsigned of(unsigned t)
    {
        return (t * 37 + t * t / 8) % THREADS;
    }
};

struct pairs {
    static __device__ unsigned of(unsigned t)
    {
        return t / 2 + 1;
    }
};

/* ---- global memory --------------------------------------------------------------------------- */

template <class T, class From> __global__ void gather_kernel(const T *in, T *out)
{
    out[global_thread()] = in[From::of(global_thread())];
}

template <class T, class To> __global__ void scatter_kernel(const T *in, T *out)
{
    out[To::of(global_thread())] = in[global_thread()];
}

__global__ void one_word_a_block_kernel(const volatile float *in, float *out)
{
    out[global_thread()] = in[blockIdx.x];
}

__global__ void ragged_kernel(const float *in, float *out, unsigned n)
{
    if (global_thread() < n)
        out[global_thread()] = in[global_thread()];
}

__global__ void even_threads_kernel(const float *in, float *out)
{
    if (global_thread() % 2 == 0)
        out[global_thread()] = in[global_thread()];
}

struct point {
    float x, y, z;
};

__global__ void points_kernel(const struct point *in, float *out)
{
    const struct point p = in[global_thread()];
    out[global_thread()] = p.x * p.y + p.z;
}

/* ---- shared memory --------------------------------------------------------------------------- */

template <class T, class To, class From> __global__ void relay_kernel(const T *in, T *out)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    T *tile = (T *)bytes;
    tile[To::of(threadIdx.x)] = in[global_thread()];
    __syncthreads();
    out[global_thread()] = tile[From::of(threadIdx.x)];
}

/* Rows are written, columns are read, four rows and columns at a time. */
template <unsigned Padding, bool Swizzled>
__global__ void columns_kernel(const float *in, float *out)
{
    __shared__ float tile[32][32 + Padding];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned row = warp; row < 32; row += 4)
        tile[row][Swizzled ? lane ^ row : lane] = in[(row * 32 + lane) % ALL];
    __syncthreads();
    float sum = 0;
    for (unsigned column = warp; column < 32; column += 4)
        sum += tile[lane][Swizzled ? column ^ lane : column];
    out[global_thread()] = sum;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef void counters_function(struct vgpu_counters *);
typedef void clear_function(void);

static counters_function *counters;
static clear_function *clear_counters;

static void begin(void)
{
    if (clear_counters != NULL)
        clear_counters();
}

static void end(const char *name)
{
    struct vgpu_counters c;
    FINISH();
    if (counters == NULL)
        return;
    counters(&c);
    const unsigned long long columns[] = {c.global_load_requests, c.global_load_sectors,
        c.global_store_requests, c.global_store_sectors, c.shared_load_wavefronts,
        c.shared_store_wavefronts, c.shared_load_conflicts, c.shared_store_conflicts};
    printf("%s", name);
    for (unsigned long long column : columns)
        printf("\t%llu", column);
    printf("\n");
}

static void run(const char *name, const void *kernel, const void *in, void *out)
{
    void *arguments[] = {&in, &out};
    const bool is_relay = strncmp(name, "relay", 5) == 0;
    begin();
    OK(cudaLaunchKernel(kernel, BLOCKS, THREADS, arguments, is_relay ? SHARED_BYTES : 0, 0));
    end(name);
}

#define ROW(name, ...)                    \
    {                                     \
        name, (const void *)(__VA_ARGS__) \
    }

template <class T, unsigned Step> static const void *relay_every(void)
{
    return (const void *)relay_kernel<T, every<Step>, next_of_every<Step>>;
}

template <class T> static const void *relay_irregular(void)
{
    return (const void *)relay_kernel<T, every<1>, irregular>;
}

static const struct {
    const char *name;
    const void *kernel;
} rows[] = {
    ROW("gather float every 1", gather_kernel<float, every<1>>),
    ROW("gather float every 2", gather_kernel<float, every<2>>),
    ROW("gather float every 4", gather_kernel<float, every<4>>),
    ROW("gather float every 8", gather_kernel<float, every<8>>),
    ROW("gather float every 32", gather_kernel<float, every<32>>),
    ROW("scatter float every 2", scatter_kernel<float, every<2>>),
    ROW("scatter float every 4", scatter_kernel<float, every<4>>),
    ROW("gather float shifted by 1", gather_kernel<float, every<1, 1>>),
    ROW("gather double every 1", gather_kernel<double, every<1>>),
    ROW("gather char every 1", gather_kernel<char, every<1>>),
    ROW("gather float2 every 1", gather_kernel<float2, every<1>>),
    ROW("gather float4 every 1", gather_kernel<float4, every<1>>),
    ROW("gather float4 every 2", gather_kernel<float4, every<2>>),
    ROW("points of three floats", points_kernel),
    ROW("one word a block", one_word_a_block_kernel),
    ROW("gather float backwards", gather_kernel<float, backwards>),
    ROW("gather float scattered", gather_kernel<float, scattered>),
    ROW("even threads", even_threads_kernel),
    ROW("gather float in two rows", gather_kernel<float, two_rows>),
    {"relay float every 1", relay_every<float, 1>()},
    {"relay float every 2", relay_every<float, 2>()},
    {"relay float every 3", relay_every<float, 3>()},
    {"relay float every 4", relay_every<float, 4>()},
    {"relay float every 8", relay_every<float, 8>()},
    {"relay float every 16", relay_every<float, 16>()},
    {"relay float every 32", relay_every<float, 32>()},
    {"relay float every 33", relay_every<float, 33>()},
    {"relay double every 1", relay_every<double, 1>()},
    {"relay double every 2", relay_every<double, 2>()},
    {"relay double every 3", relay_every<double, 3>()},
    {"relay float4 every 1", relay_every<float4, 1>()},
    {"relay float4 every 2", relay_every<float4, 2>()},
    {"relay float4 every 5", relay_every<float4, 5>()},
    {"relay char every 1", relay_every<char, 1>()},
    {"relay char every 4", relay_every<char, 4>()},
    {"relay float irregular", relay_irregular<float>()},
    {"relay double irregular", relay_irregular<double>()},
    {"relay float4 irregular", relay_irregular<float4>()},
    ROW("relay float pairs", relay_kernel<float, every<1>, pairs>),
    ROW("columns", columns_kernel<0, false>),
    ROW("columns padded", columns_kernel<1, false>),
    ROW("columns swizzled", columns_kernel<0, true>),
};

int main(void)
{
    char *in = device_zeros<char>(BYTES), *out = device_array<char>(BYTES);
    counters = (counters_function *)dlsym(RTLD_DEFAULT, "vgpu_counters");
    clear_counters = (clear_function *)dlsym(RTLD_DEFAULT, "vgpu_clear");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        run(rows[r].name, rows[r].kernel, in, out);
    begin();
    ragged_kernel<<<BLOCKS, THREADS>>>((const float *)in, (float *)out, 500);
    end("ragged, 500 of 512");
    OK(cudaFree(in));
    OK(cudaFree(out));
    return checks_failed != 0;
}
