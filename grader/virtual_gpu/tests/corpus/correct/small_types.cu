/* Neighbouring threads write neighbouring bytes of one word; structures with holes are copied. */
#include "../corpus.h"

/* ---- bytes and halfwords --------------------------------------------------------------------- */

__global__ void byte_flags_kernel(const int *in, unsigned char *flags, short *shorts, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    flags[i] = in[i] % 3 == 0;
    shorts[i] = (short)(in[i] - 500);
}

static void neighbouring_bytes(void)
{
    enum { N = 333 }; /* blocks of 50 threads meet within a word */
    int in[N];
    unsigned char flags[N];
    short shorts[N];
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N);
    unsigned char *d_flags = device_array<unsigned char>(N);
    short *d_shorts = device_array<short>(N);
    byte_flags_kernel<<<(N + 49) / 50, 50>>>(d_in, d_flags, d_shorts, N);
    FINISH();
    take(flags, d_flags, N);
    take(shorts, d_shorts, N);
    for (int i = 0; i < N; i++)
        EXPECT(flags[i] == (in[i] % 3 == 0) && shorts[i] == in[i] - 500);
    digest(flags, sizeof flags);
    digest(shorts, sizeof shorts);
    OK(cudaFree(d_in));
}

/* Between the barriers each thread reads and writes its own byte, and the next one's is another
 * thread's. */
__global__ void byte_rounds_kernel(unsigned char *out, int rounds)
{
    __shared__ unsigned char mine[130], theirs[130];
    const unsigned t = threadIdx.x;
    mine[t] = (unsigned char)t;
    for (int r = 0; r < rounds; r++) {
        mine[t] = (unsigned char)(mine[t] * 3 + 1);
        theirs[t] = mine[t];
        __syncthreads();
        mine[t] = (unsigned char)(mine[t] + theirs[(t + 1) % blockDim.x]);
        __syncthreads();
    }
    out[t] = mine[t];
}

static void bytes_in_shared_memory(void)
{
    enum { THREADS = 130, ROUNDS = 4 };
    unsigned char got[THREADS], mine[THREADS], theirs[THREADS];
    unsigned char *out = device_array<unsigned char>(THREADS);
    byte_rounds_kernel<<<1, THREADS>>>(out, ROUNDS);
    FINISH();
    take(got, out, THREADS);
    for (int t = 0; t < THREADS; t++)
        mine[t] = (unsigned char)t;
    for (int r = 0; r < ROUNDS; r++) {
        for (int t = 0; t < THREADS; t++)
            theirs[t] = mine[t] = (unsigned char)(mine[t] * 3 + 1);
        for (int t = 0; t < THREADS; t++)
            mine[t] = (unsigned char)(mine[t] + theirs[(t + 1) % THREADS]);
    }
    EXPECT_SAME(got, mine, THREADS);
    digest(got, sizeof got);
}

/* Written as bytes, read as words after the barrier, and the other way round. */
__global__ void bytes_and_words_kernel(const unsigned char *in, unsigned *words, unsigned char *out)
{
    __shared__ unsigned char bytes[256];
    __shared__ unsigned packed[64];
    const unsigned t = threadIdx.x;
    bytes[t] = (unsigned char)(in[t] ^ 0x55);
    __syncthreads();
    if (t < 64) {
        packed[t] = *(const unsigned *)&bytes[4 * t];
        words[t] = packed[t];
    }
    __syncthreads();
    out[t] = ((const unsigned char *)packed)[255 - t];
}

static void bytes_read_as_words(void)
{
    unsigned char in[256], out[256], words[256];
    for (int i = 0; i < 256; i++)
        in[i] = (unsigned char)scrambled((unsigned)i);
    unsigned char *d_in = device_copy(in, 256), *d_out = device_array<unsigned char>(256);
    unsigned *d_words = device_array<unsigned>(64);
    bytes_and_words_kernel<<<1, 256>>>(d_in, d_words, d_out);
    FINISH();
    take((unsigned *)words, d_words, 64);
    take(out, d_out, 256);
    for (int i = 0; i < 256; i++)
        EXPECT(words[i] == (in[i] ^ 0x55) && out[i] == words[255 - i]);
    digest(out, sizeof out);
    OK(cudaFree(d_in));
}

/* ---- structures ------------------------------------------------------------------------------ */

struct holed {
    char tag;
    int value;
    short count;
    double weight;
    char last;
};

struct __align__(16) triple
{
    float x, y, z;
};

__global__ void make_structs_kernel(struct holed *holed, struct triple *triples)
{
    const unsigned i = threadIdx.x;
    holed[i].tag = (char)i;
    holed[i].value = (int)(i * i);
    holed[i].count = (short)-i;
    holed[i].weight = 0.5 * i;
    holed[i].last = 'z';
    triples[i].x = (float)i;
    triples[i].y = (float)(2 * i);
    triples[i].z = (float)(3 * i);
}

__global__ void copy_structs_kernel(const struct holed *holed, const struct triple *triples,
    struct holed *holed_copy, struct triple *triple_copy)
{
    __shared__ struct holed tile[64];
    __shared__ struct triple triple_tile[64];
    const unsigned i = threadIdx.x;
    tile[i] = holed[i];
    triple_tile[i] = triples[i];
    __syncthreads();
    holed_copy[63 - i] = tile[i];
    triple_copy[i] = triple_tile[63 - i];
}

static void structures_with_holes(void)
{
    struct holed *a = device_array<struct holed>(64), *b = device_array<struct holed>(64), got[64];
    struct triple *c = device_array<struct triple>(64), *d = device_array<struct triple>(64);
    struct triple triples[64];
    make_structs_kernel<<<1, 64>>>(a, c);
    copy_structs_kernel<<<1, 64>>>(a, c, b, d);
    FINISH();
    take(got, b, 64);
    take(triples, d, 64);
    for (int i = 0; i < 64; i++) {
        const int k = 63 - i;
        EXPECT(got[i].tag == k && got[i].value == k * k && got[i].count == -k);
        EXPECT(got[i].weight == 0.5 * k && got[i].last == 'z');
        EXPECT(triples[i].x == k && triples[i].y == 2 * k && triples[i].z == 3 * k);
    }
    OK(cudaFree(a));
    OK(cudaFree(c));
}

/* Bit fields are set one after the other: each assignment keeps the bits around it, whatever they
 * are. */
struct packed {
    unsigned kind : 3, length : 9;
    unsigned flag : 1;
    unsigned long long first : 40, second : 24;
};

__global__ void set_fields_kernel(struct packed *out, unsigned *lengths)
{
    __shared__ struct packed tile[64];
    struct packed mine;
    const unsigned i = threadIdx.x;
    mine.length = i * 3;
    mine.flag = i % 2;
    mine.kind = i % 5;
    tile[i].kind = mine.kind;
    tile[i].second = i;
    out[i].flag = mine.flag;
    out[i].first = (unsigned long long)i << 20;
    __syncthreads();
    lengths[i] = mine.length + tile[63 - i].kind + (unsigned)tile[63 - i].second;
}

__global__ void fill_fields_kernel(struct packed *out, unsigned *lengths)
{
    const unsigned i = threadIdx.x;
    lengths[i] += out[i].flag + (unsigned)(out[i].first >> 20);
    out[i].kind = 7;
}

static void bit_fields(void)
{
    struct packed *out = device_array<struct packed>(64);
    unsigned *lengths = device_array<unsigned>(64), got[64];
    set_fields_kernel<<<1, 64>>>(out, lengths);
    fill_fields_kernel<<<1, 64>>>(out, lengths);
    FINISH();
    take(got, lengths, 64);
    for (unsigned i = 0; i < 64; i++)
        EXPECT(got[i] == i * 3 + (63 - i) % 5 + 63 - i + i % 2 + i);
    digest(got, sizeof got);
    OK(cudaFree(out));
}

/* ---- bits ------------------------------------------------------------------------------------ */

__global__ void bits_kernel(const int *in, unsigned *bits, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n && in[i] % 5 < 2)
        atomicOr(&bits[i / 32], 1u << i % 32);
}

static void bits_of_a_word(void)
{
    enum { N = 500, WORDS = (N + 31) / 32 };
    int in[N];
    unsigned got[WORDS], want[WORDS] = {0};
    for (int i = 0; i < N; i++) {
        in[i] = (int)(scrambled((unsigned)i) % 1000);
        want[i / 32] |= (unsigned)(in[i] % 5 < 2) << i % 32;
    }
    int *d_in = device_copy(in, N);
    unsigned *bits = device_zeros<unsigned>(WORDS);
    bits_kernel<<<(N + 39) / 40, 40>>>(d_in, bits, N);
    FINISH();
    take(got, bits, WORDS);
    EXPECT_SAME(got, want, WORDS);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* Pixels: one thread a channel, then one thread a pixel. */
__global__ void brighten_kernel(unsigned char *channels, int bytes)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < bytes && i % 4 != 3)
        channels[i] = (unsigned char)min(channels[i] + 40, 255);
}

__global__ void swap_red_and_blue_kernel(uchar4 *pixels, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        const uchar4 p = pixels[i];
        pixels[i] = make_uchar4(p.z, p.y, p.x, p.w);
    }
}

static void pixels_and_channels(void)
{
    enum { N = 100 };
    uchar4 in[N], got[N];
    for (int i = 0; i < N; i++) {
        const unsigned r = scrambled((unsigned)i);
        in[i] = make_uchar4((unsigned char)r, (unsigned char)(r >> 8), (unsigned char)(r >> 16),
            (unsigned char)(r >> 24));
    }
    uchar4 *d = device_copy(in, N);
    brighten_kernel<<<4, 100>>>((unsigned char *)d, 4 * N);
    swap_red_and_blue_kernel<<<2, 64>>>(d, N);
    FINISH();
    take(got, d, N);
    for (int i = 0; i < N; i++) {
        EXPECT(got[i].x == (in[i].z > 215 ? 255 : in[i].z + 40));
        EXPECT(got[i].z == (in[i].x > 215 ? 255 : in[i].x + 40) && got[i].w == in[i].w);
    }
    digest(got, sizeof got);
}

CORPUS_MAIN(CASE(neighbouring_bytes), CASE(bytes_in_shared_memory), CASE(bytes_read_as_words),
    CASE(structures_with_holes), CASE(bit_fields), CASE(bits_of_a_word), CASE(pixels_and_channels))
