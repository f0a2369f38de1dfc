/* The limits: what a task could reach if it did nothing but move its bytes. */
#include "device_load.h"

extern "C" {
#include "device.h"
}

template <bool STREAMING> static __device__ uint4 load(const uint4 *from)
{
    return STREAMING ? __ldcs(from) : __ldg(from);
}

template <bool STREAMING> static __device__ void store(uint4 *to, uint4 value)
{
    if (STREAMING)
        __stcs(to, value);
    else
        *to = value;
}

/* What is done with vector i of 16 bytes: get() for a whole tile, then put() for a whole tile. */
struct copying {
    const uint4 *from;
    uint4 *to;
    typedef uint4 item;
    template <bool STREAMING> __device__ item get(size_t i) const
    {
        return load<STREAMING>(from + i);
    }
    template <bool STREAMING> __device__ void put(size_t i, item got)
    {
        store<STREAMING>(to + i, got);
    }
    __device__ void finish() const
    {
    }
};

struct two_vectors {
    uint4 a, b;
};

static __device__ unsigned float_sum(unsigned a, unsigned b)
{
    return __float_as_uint(__uint_as_float(a) + __uint_as_float(b));
}

struct adding {
    const uint4 *a, *b;
    uint4 *to;
    typedef two_vectors item;
    template <bool STREAMING> __device__ item get(size_t i) const
    {
        return item{load<STREAMING>(a + i), load<STREAMING>(b + i)};
    }
    template <bool STREAMING> __device__ void put(size_t i, item got)
    {
        store<STREAMING>(
            to + i, make_uint4(float_sum(got.a.x, got.b.x), float_sum(got.a.y, got.b.y),
                        float_sum(got.a.z, got.b.z), float_sum(got.a.w, got.b.w)));
    }
    __device__ void finish() const
    {
    }
};

/* The result must be used, or the compiler drops the loads: it is stored in the rare case that
 * it equals a number which the compiler cannot exclude. */
struct reading {
    const uint4 *from;
    unsigned *sink;
    unsigned all;
    typedef uint4 item;
    template <bool STREAMING> __device__ item get(size_t i) const
    {
        return load<STREAMING>(from + i);
    }
    template <bool STREAMING> __device__ void put(size_t, item got)
    {
        all ^= got.x ^ got.y ^ got.z ^ got.w;
    }
    __device__ void finish() const
    {
        if (all == 0x5bd1e995)
            *sink = all;
    }
};

/* A block takes tiles of blockDim.x * VECTORS vectors, a grid's width apart. */
template <class Task, int VECTORS, bool STREAMING>
static __global__ void limit_kernel(Task task, size_t count)
{
    const size_t tile = (size_t)blockDim.x * VECTORS;

    for (size_t start = blockIdx.x * tile; start < count; start += gridDim.x * tile) {
        const size_t mine = start + threadIdx.x;
        if (start + tile > count) {
            for (size_t i = mine; i < count; i += blockDim.x)
                task.template put<STREAMING>(i, task.template get<STREAMING>(i));
            break;
        }
        typename Task::item got[VECTORS];
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            got[v] = task.template get<STREAMING>(mine + v * blockDim.x);
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            task.template put<STREAMING>(mine + v * blockDim.x, got[v]);
    }
    task.finish();
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static const struct limit_shape shapes[] = {
    {256, 1, 0, false},
    {256, 4, 0, false},
    {256, 4, 0, true},
    {512, 2, 0, true},
    {1024, 1, 0, true},
    {256, 4, 8, false},
    {512, 4, 4, true},
    {1024, 4, 2, true},
    {256, 8, 4, true},
    {512, 8, 0, true},
};

size_t device_limit_shapes(void)
{
    return sizeof shapes / sizeof *shapes;
}

template <class Task> struct kernels {
    void (*plain)(Task, size_t), (*streaming)(Task, size_t);
};

template <class Task> static cudaError_t launch(size_t index, Task task, size_t count)
{
    static const struct kernels<Task> by_log2_of_vectors[] = {
        {limit_kernel<Task, 1, false>, limit_kernel<Task, 1, true>},
            {limit_kernel<Task, 2, false>, limit_kernel<Task, 2, true>},
            {limit_kernel<Task, 4, false>, limit_kernel<Task, 4, true>},
            {limit_kernel<Task, 8, false>, limit_kernel<Task, 8, true>},
    };
    if (index >= device_limit_shapes())
        return cudaErrorInvalidValue;

    const struct limit_shape shape = shapes[index];
    const size_t tile = (size_t)shape.threads * shape.vectors;
    size_t blocks = (count + tile - 1) / tile;
    const size_t most = (size_t)shape.blocks_per_sm * device_sm_count();
    if (most > 0 && blocks > most)
        blocks = most;
    int row = 0;
    while (1u << row < shape.vectors)
        row++;
    const struct kernels<Task> *pair = &by_log2_of_vectors[row];
    (shape.streaming ? pair->streaming : pair->plain)<<<(unsigned)blocks, shape.threads>>>(
        task, count);
    return cudaGetLastError();
}

/* Vectors in each of `parts` equal parts of whole lines. */
static size_t part_vectors(size_t bytes, size_t parts)
{
    const size_t line_bytes = 256;
    return bytes / parts / line_bytes * line_bytes / sizeof(uint4);
}

cudaError_t device_limit_copy(size_t shape, void *memory, size_t bytes)
{
    const size_t count = part_vectors(bytes, 2);
    uint4 *from = (uint4 *)memory;
    return launch(shape, copying{from, from + count}, count);
}

cudaError_t device_limit_add(size_t shape, void *memory, size_t bytes)
{
    const size_t count = part_vectors(bytes, 3);
    uint4 *a = (uint4 *)memory;
    return launch(shape, adding{a, a + count, a + 2 * count}, count);
}

cudaError_t device_limit_read(size_t shape, void *memory, size_t bytes)
{
    return launch(shape, reading{(uint4 *)memory, (unsigned *)memory, 0}, part_vectors(bytes, 1));
}

/* ---- launches that are judged, kernels that are asked about ---------------------------------- */

static __global__ void add_launched_kernel(const float *a, const float *b, float *sums, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        sums[i] = a[i] + b[i];
}

cudaError_t device_add_launched(
    unsigned blocks, unsigned threads, const float *a, const float *b, float *sums, size_t n)
{
    add_launched_kernel<<<blocks, threads>>>(a, b, sums, n);
    return cudaGetLastError();
}

/* Each thread keeps VALUES floats in registers: it may not store one before it has loaded all, since
 * the two arrays may be the same. */
template <int VALUES, int SHARED_WORDS>
static __global__ void needy_kernel(const float *in, float *out)
{
    __shared__ float shared[SHARED_WORDS];
    float kept[VALUES];

    shared[threadIdx.x % SHARED_WORDS] = in[threadIdx.x];
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        kept[k] = in[k * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        out[k * blockDim.x + threadIdx.x] = kept[VALUES - 1 - k] + shared[k % SHARED_WORDS];
}

typedef void needy(const float *, float *);
static needy *const needy_kernels[] = {
    needy_kernel<1, 1>,
    needy_kernel<3, 256>,
    needy_kernel<6, 1000>,
    needy_kernel<16, 1>,
    needy_kernel<12, 2048>,
    needy_kernel<24, 1>,
    needy_kernel<72, 1>,
};

size_t device_occupancy_kernels(void)
{
    return sizeof needy_kernels / sizeof *needy_kernels;
}

const void *device_occupancy_kernel(size_t kernel)
{
    return (const void *)needy_kernels[kernel];
}

/* ---- flush, empty launch, delay -------------------------------------------------------------- */

cudaError_t device_flush_l2(void)
{
    static void *memory; /* kept for the life of the process */
    const size_t bytes = 2 * device_l2_bytes();

    if (bytes == 0)
        return cudaSuccess;
    if (!memory) {
        const cudaError_t status = cudaMalloc(&memory, bytes);
        if (status != cudaSuccess)
            return status;
        cudaMemset(memory, 0, bytes);
    }
    return device_limit_read(0, memory, bytes);
}

static __global__ void empty_kernel()
{
}

cudaError_t device_empty_launch(void)
{
    empty_kernel<<<1, 1>>>();
    return cudaGetLastError();
}

static __device__ void wait_for(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

static cudaError_t cycles_of(uint64_t ns, long long *cycles)
{
    const uint64_t ns_max = 500 * 1000 * 1000;
    int clock_khz = 0;

    const cudaError_t status = cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
    *cycles = (long long)((ns < ns_max ? ns : ns_max) * clock_khz / 1000000);
    return status;
}

static __global__ void spin_kernel(long long cycles)
{
    wait_for(cycles);
}

cudaError_t device_spin(uint64_t ns, cudaStream_t stream)
{
    long long cycles;

    const cudaError_t status = cycles_of(ns, &cycles);
    if (status != cudaSuccess)
        return status;
    spin_kernel<<<1, 1, 0, stream>>>(cycles);
    return cudaGetLastError();
}

static __global__ void delayed_copy_kernel(
    uint32_t *to, const uint32_t *from, size_t count, long long cycles)
{
    if (threadIdx.x == 0)
        wait_for(cycles);
    __syncthreads();
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = from[i];
}

cudaError_t device_delayed_copy(
    uint32_t *to, const uint32_t *from, size_t count, uint64_t ns, cudaStream_t stream)
{
    long long cycles;

    const cudaError_t status = cycles_of(ns, &cycles);
    if (status != cudaSuccess)
        return status;
    delayed_copy_kernel<<<1, 32, 0, stream>>>(to, from, count, cycles);
    return cudaGetLastError();
}

static __global__ void occupying_kernel(long long cycles)
{
    if (threadIdx.x == 0)
        wait_for(cycles);
    __syncthreads();
}

cudaError_t device_occupy(unsigned waves, uint64_t ns, cudaStream_t stream)
{
    const unsigned threads = 1024;
    long long cycles;
    int blocks_each = 0;

    cudaError_t status = cycles_of(ns, &cycles);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks_each, occupying_kernel, (int)threads, 0);
    if (status != cudaSuccess)
        return status;
    occupying_kernel<<<waves *(unsigned)(blocks_each * device_sm_count()), threads, 0, stream>>>(
        cycles);
    return cudaGetLastError();
}
