/* Arithmetic: halves, doubles, integer intrinsics, atomics of every type, counter-based randomness. */
#include "../corpus.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

/* ---- half precision -------------------------------------------------------------------------- */

__global__ void halves_kernel(const float *in, float *out, __half *sums, __nv_bfloat16 *brains)
{
    const unsigned t = threadIdx.x;
    const __half h = __float2half(in[t]), three = __float2half(3.0f);
    __half2 pair = __halves2half2(h, __hneg(h));
    pair = __hfma2(pair, __float2half2_rn(2.0f), __float2half2_rn(1.0f));
    out[t] = __half2float(__hmul(h, three)) + __low2float(pair) - __high2float(pair);
    sums[t] = __hgt(h, three) ? __hsub(h, three) : __hadd(h, three);
    brains[t] = __float2bfloat16(in[t] * 2.0f);
}

static void half_precision(void)
{
    float in[64], got[64];
    __half sums[64];
    __nv_bfloat16 brains[64];
    for (int i = 0; i < 64; i++)
        in[i] = 0.25f * (float)(i - 20); /* all steps are exact in 11 bits */
    float *d_in = device_copy(in, 64), *out = device_array<float>(64);
    __half *d_sums = device_array<__half>(64);
    __nv_bfloat16 *d_brains = device_array<__nv_bfloat16>(64);
    halves_kernel<<<1, 64>>>(d_in, out, d_sums, d_brains);
    FINISH();
    take(got, out, 64);
    take(sums, d_sums, 64);
    take(brains, d_brains, 64);
    for (int i = 0; i < 64; i++) {
        EXPECT(got[i] == 7 * in[i]);
        EXPECT(__half2float(sums[i]) == (in[i] > 3 ? in[i] - 3 : in[i] + 3));
        EXPECT(__bfloat162float(brains[i]) == 2 * in[i]);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- functions of float and double ----------------------------------------------------------- */

__global__ void functions_kernel(const double *in, double *doubles, float *floats)
{
    const unsigned t = threadIdx.x;
    const double x = in[t];
    const float f = (float)x;
    doubles[t] = sqrt(x) + sin(x) * exp(-x) + log1p(x) / (1 + x * x) + pow(x, 1.5) + floor(x) +
                 fmod(x, 0.7) + cbrt(x) + erf(x);
    floats[t] = sqrtf(f) + cosf(f) * expf(-f) + log2f(f + 1) / (1 + f * f) + powf(f, 1.5f) +
                rintf(f) + hypotf(f, 2) + atan2f(f, 3) + tanhf(f);
}

static void functions_of_numbers(void)
{
    double in[64], doubles[64];
    float floats[64];
    for (unsigned i = 0; i < 64; i++)
        in[i] = (double)(scrambled(i) % 1000) / 100;
    double *d_in = device_copy(in, 64), *d_doubles = device_array<double>(64);
    float *d_floats = device_array<float>(64);
    functions_kernel<<<1, 64>>>(d_in, d_doubles, d_floats);
    FINISH();
    take(doubles, d_doubles, 64);
    take(floats, d_floats, 64);
    for (int i = 0; i < 64; i++) {
        const double x = in[i];
        const double want = sqrt(x) + sin(x) * exp(-x) + log1p(x) / (1 + x * x) + pow(x, 1.5) +
                            floor(x) + fmod(x, 0.7) + cbrt(x) + erf(x);
        const double want_f = sqrt(x) + cos(x) * exp(-x) + log2(x + 1) / (1 + x * x) + pow(x, 1.5) +
                              rint(x) + hypot(x, 2) + atan2(x, 3) + tanh(x);
        EXPECT(fabs(doubles[i] - want) <= 1e-13 * (1 + fabs(want)));
        EXPECT(fabs(floats[i] - want_f) <= 1e-5 * (1 + fabs(want_f)));
    }
    digest(doubles, sizeof doubles);
    digest(floats, sizeof floats);
    OK(cudaFree(d_in));
}

__global__ void conversions_kernel(
    const float *in, int *ints, long long *longs, unsigned char *bytes)
{
    const float x = in[threadIdx.x];
    ints[4 * threadIdx.x] = __float2int_rn(x);
    ints[4 * threadIdx.x + 1] = __float2int_rz(x);
    ints[4 * threadIdx.x + 2] = __float2int_ru(x);
    ints[4 * threadIdx.x + 3] = __float2int_rd(x);
    longs[threadIdx.x] = __double2ll_rn((double)x * 1e6);
    bytes[threadIdx.x] = (unsigned char)__float2uint_rn(__saturatef(x) * 255);
}

static void conversions(void)
{
    float in[64];
    int ints[256];
    long long longs[64];
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++)
        in[i] = 0.125f * (float)(i - 30);
    in[62] = 3e9f;
    in[63] = -3e9f;
    float *d_in = device_copy(in, 64);
    int *d_ints = device_array<int>(256);
    long long *d_longs = device_array<long long>(64);
    unsigned char *d_bytes = device_array<unsigned char>(64);
    conversions_kernel<<<1, 64>>>(d_in, d_ints, d_longs, d_bytes);
    FINISH();
    take(ints, d_ints, 256);
    take(longs, d_longs, 64);
    take(bytes, d_bytes, 64);
    for (int i = 0; i < 62; i++) {
        EXPECT(ints[4 * i] == (int)rintf(in[i]) && ints[4 * i + 1] == (int)in[i]);
        EXPECT(ints[4 * i + 2] == (int)ceilf(in[i]) && ints[4 * i + 3] == (int)floorf(in[i]));
        EXPECT(longs[i] == llrint((double)in[i] * 1e6));
    }
    EXPECT(ints[4 * 62] == 0x7FFFFFFF && ints[4 * 63] == (int)0x80000000);
    EXPECT(bytes[0] == 0 && bytes[63] == 0 && bytes[62] == 255 && bytes[34] == 128);
    digest(ints, sizeof ints);
    digest(bytes, sizeof bytes);
    OK(cudaFree(d_in));
}

/* ---- integers -------------------------------------------------------------------------------- */

__global__ void integers_kernel(const unsigned *in, unsigned *out, unsigned long long *longs)
{
    const unsigned t = threadIdx.x, x = in[t], y = in[(t + 1) % 64];
    unsigned *mine = out + 12 * t;
    mine[0] = (unsigned)__popc(x);
    mine[1] = (unsigned)__clz((int)x);
    mine[2] = __brev(x);
    mine[3] = (unsigned)__ffs((int)x);
    mine[4] = __byte_perm(x, y, 0x5140);
    mine[5] = __funnelshift_l(x, y, 9);
    mine[6] = __umulhi(x, y);
    mine[7] = (unsigned)__mulhi((int)x, (int)y);
    mine[8] = (unsigned)__dp4a((int)x, (int)y, 7);
    mine[9] = __usad(x, y, 5);
    mine[10] = (unsigned)((int)x / ((int)(y % 1000) - 500)) + x % (y | 1);
    mine[11] = (unsigned)((int)x >> (y % 40 < 32 ? y % 40 : 31)) + __uhadd(x, y);
    const unsigned long long a = (unsigned long long)x << 32 | y, b = (unsigned long long)y * 12345;
    longs[3 * t] = __umul64hi(a, b);
    longs[3 * t + 1] = a / (b | 1) + a % (b | 1);
    longs[3 * t + 2] = (unsigned long long)((long long)a / ((long long)x - 77777)) ^ __brevll(a);
}

static unsigned reversed(unsigned x)
{
    unsigned r = 0;
    for (int b = 0; b < 32; b++)
        r |= (x >> b & 1) << (31 - b);
    return r;
}

static void integer_intrinsics(void)
{
    unsigned in[64], got[768];
    unsigned long long longs[192];
    for (unsigned i = 0; i < 64; i++)
        in[i] = scrambled(i) >> i % 9;
    unsigned *d_in = device_copy(in, 64), *out = device_array<unsigned>(768);
    unsigned long long *d_longs = device_array<unsigned long long>(192);
    integers_kernel<<<1, 64>>>(d_in, out, d_longs);
    FINISH();
    take(got, out, 768);
    take(longs, d_longs, 192);
    for (int t = 0; t < 64; t++) {
        const unsigned x = in[t], y = in[(t + 1) % 64], s = y % 40 < 32 ? y % 40 : 31;
        int dot = 7;
        for (int b = 0; b < 4; b++)
            dot += (int)(signed char)(x >> 8 * b) * (int)(signed char)(y >> 8 * b);
        const unsigned want[12] = {(unsigned)__builtin_popcount(x),
            x == 0 ? 32 : (unsigned)__builtin_clz(x), reversed(x), (unsigned)__builtin_ffs((int)x),
            (x & 0xFF) | (y & 0xFF) << 8 | (x >> 8 & 0xFF) << 16 | (y >> 8 & 0xFF) << 24,
            y << 9 | x >> 23, (unsigned)((unsigned long long)x * y >> 32),
            (unsigned)((long long)(int)x * (int)y >> 32), (unsigned)dot,
            5 + (x > y ? x - y : y - x), (unsigned)((int)x / ((int)(y % 1000) - 500)) + x % (y | 1),
            (unsigned)((int)x >> s) + (unsigned)(((unsigned long long)x + y) / 2)};
        EXPECT_SAME(got + 12 * t, want, 12);
        const unsigned long long a = (unsigned long long)x << 32 | y;
        const unsigned long long b = (unsigned long long)y * 12345;
        EXPECT(longs[3 * t] == (unsigned long long)((unsigned __int128)a * b >> 64));
        EXPECT(longs[3 * t + 1] == a / (b | 1) + a % (b | 1));
        const unsigned long long back =
            (unsigned long long)reversed((unsigned)a) << 32 | reversed((unsigned)(a >> 32));
        EXPECT(longs[3 * t + 2] ==
               ((unsigned long long)((long long)a / ((long long)x - 77777)) ^ back));
    }
    digest(got, sizeof got);
    digest(longs, sizeof longs);
    OK(cudaFree(d_in));
}

/* ---- atomics --------------------------------------------------------------------------------- */

struct totals {
    int sum, least, most, bits_and, bits_or, bits_xor;
    unsigned wrapped, down;
    unsigned long long sum_64, most_64, bits_64;
    long long least_64;
    float sum_f;
    double sum_d, most_d;
};

__device__ void atomic_max_double(double *target, double x)
{
    unsigned long long *bits = (unsigned long long *)target, seen = atomicAdd(bits, 0), before;
    do {
        before = seen;
        if (__longlong_as_double((long long)before) >= x)
            return;
        seen = atomicCAS(bits, before, (unsigned long long)__double_as_longlong(x));
    } while (seen != before);
}

__device__ void add_to_totals(struct totals *all, int x)
{
    atomicAdd(&all->sum, x);
    atomicMin(&all->least, x);
    atomicMax(&all->most, x);
    atomicAnd(&all->bits_and, x | 0x0F);
    atomicOr(&all->bits_or, x & 0xF0);
    atomicXor(&all->bits_xor, x);
    atomicInc(&all->wrapped, 99);
    atomicDec(&all->down, 49);
    atomicAdd(&all->sum_64, (unsigned long long)x << 33);
    atomicMax(&all->most_64, (unsigned long long)x * 1000000007ull);
    atomicOr(&all->bits_64, 1ull << x % 64);
    atomicMin(&all->least_64, (long long)x - (1ll << 40));
    atomicAdd(&all->sum_f, (float)x);
    atomicAdd(&all->sum_d, 0.5 * x);
    atomic_max_double(&all->most_d, 0.25 * x);
}

__global__ void atomics_kernel(const int *in, struct totals *global, struct totals *from_shared)
{
    __shared__ struct totals mine;
    const int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0)
        mine = *from_shared;
    __syncthreads();
    add_to_totals(global, x);
    add_to_totals(&mine, x);
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        from_shared[1] = mine;
}

static void check_totals(const struct totals *got, const int *in, int n)
{
    struct totals want = {0, 5000, -1, -1, 0, 0, (unsigned)n % 100, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        const int x = in[i];
        want.sum += x;
        want.least = x < want.least ? x : want.least;
        want.most = x > want.most ? x : want.most;
        want.bits_and &= x | 0x0F;
        want.bits_or |= x & 0xF0;
        want.bits_xor ^= x;
        want.bits_64 |= 1ull << x % 64;
    }
    EXPECT(got->sum == want.sum && got->least == want.least && got->most == want.most);
    EXPECT(got->bits_and == want.bits_and && got->bits_or == want.bits_or);
    EXPECT(got->bits_xor == want.bits_xor && got->bits_64 == want.bits_64);
    EXPECT(got->wrapped == want.wrapped && got->down == (50u - (unsigned)n % 50) % 50);
    EXPECT(got->sum_64 == (unsigned long long)want.sum << 33);
    EXPECT(got->most_64 == (unsigned long long)want.most * 1000000007ull);
    EXPECT(got->least_64 == want.least - (1ll << 40));
    EXPECT(got->sum_f == (float)want.sum && got->sum_d == 0.5 * want.sum);
    EXPECT(got->most_d == 0.25 * want.most);
}

static void atomics_of_all_types(void)
{
    enum { THREADS = 96, BLOCKS = 3, N = THREADS * BLOCKS };
    int in[N];
    struct totals start, got;
    memset(&start, 0, sizeof start);
    start.least = 5000;
    start.most = -1;
    start.bits_and = -1;
    start.least_64 = 1ll << 62;
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N);
    struct totals *global = device_copy(&start, 1), *shared = device_zeros<struct totals>(2);
    OK(cudaMemcpy(shared, &start, sizeof start, cudaMemcpyHostToDevice));
    atomics_kernel<<<BLOCKS, THREADS>>>(d_in, global, shared);
    FINISH();
    take(&got, global, 1);
    check_totals(&got, in, N);
    fetch(&got, shared + 1, 1);
    check_totals(&got, in, THREADS);
    digest(&got, sizeof got);
    OK(cudaFree(shared));
    OK(cudaFree(d_in));
}

/* ---- counter-based random numbers ------------------------------------------------------------ */

/* Ten rounds of multiply and exchange over a counter, with a key that moves on. */
static __host__ __device__ uint4 random_block(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
        counter = make_uint4((unsigned)(b >> 32) ^ counter.y ^ key.x, (unsigned)b,
            (unsigned)(a >> 32) ^ counter.w ^ key.y, (unsigned)a);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

__global__ void random_kernel(uint4 *out, unsigned *hits)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint4 r = random_block(make_uint4(i, 0, 0, 0), make_uint2(42, 0));
    const float x = (float)r.x * 0x1p-32f, y = (float)r.y * 0x1p-32f;
    out[i] = r;
    if (x * x + y * y < 1)
        atomicAdd(hits, 1);
}

static void random_counters(void)
{
    enum { N = 512 };
    uint4 got[N];
    unsigned hits, want_hits = 0;
    uint4 *out = device_array<uint4>(N);
    unsigned *d_hits = device_zeros<unsigned>(1);
    random_kernel<<<4, N / 4>>>(out, d_hits);
    FINISH();
    take(got, out, N);
    take(&hits, d_hits, 1);
    for (unsigned i = 0; i < N; i++) {
        const uint4 r = random_block(make_uint4(i, 0, 0, 0), make_uint2(42, 0));
        EXPECT(memcmp(&r, &got[i], sizeof r) == 0);
        const double x = r.x * 0x1p-32, y = r.y * 0x1p-32;
        want_hits += x * x + y * y < 1;
    }
    EXPECT(hits == want_hits);
    /* The first block of counter 0 with key 0, as the authors of the generator published it. */
    const uint4 known = random_block(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
    EXPECT(known.x == 0x6627E8D5u && known.y == 0xE169C58Du);
    EXPECT(known.z == 0xBC57AC4Cu && known.w == 0x9B00DBD8u);
    digest(got, sizeof got);
}

CORPUS_MAIN(CASE(half_precision), CASE(functions_of_numbers), CASE(conversions),
    CASE(integer_intrinsics), CASE(atomics_of_all_types), CASE(random_counters))
