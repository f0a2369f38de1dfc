/* What CUDA C++ has besides: memory of every kind, printf, the device's heap, divergent flow. */
#include "../corpus.h"

#include <assert.h>

/* ---- variables of the module ----------------------------------------------------------------- */

__constant__ int weights[5] = {1, 4, 6, 4, 1};
__constant__ struct {
    float slope;
    double offset;
} line;
__device__ int table[100];
__device__ int calls = 3;
__device__ const char alphabet[] = "abcdefghij";
__managed__ int shared_with_host[64];
__managed__ int total_of_host = 5;

__global__ void constants_kernel(const int *in, int *out, int n)
{
    const int i = (int)threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += i + k < n ? weights[k] * in[i + k] : 0;
    out[i] = sum + weights[i % 5] + (int)(line.slope * (float)i + line.offset);
}

static void constant_memory(void)
{
    enum { N = 70 };
    int in[N], got[N];
    const struct {
        float slope;
        double offset;
    } given = {2, 0.5};
    const int last = 10;
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 100);
    OK(cudaMemcpyToSymbol(line, &given, sizeof given));
    OK(cudaMemcpyToSymbol(weights, &last, sizeof last, 4 * sizeof(int)));
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    constants_kernel<<<1, N>>>(d_in, out, N);
    FINISH();
    take(got, out, N);
    const int now[5] = {1, 4, 6, 4, 10};
    for (int i = 0; i < N; i++) {
        int want = now[i % 5] + 2 * i;
        for (int k = 0; k < 5; k++)
            want += i + k < N ? now[k] * in[i + k] : 0;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

__global__ void fill_table_kernel(void)
{
    table[threadIdx.x] = (int)threadIdx.x * calls + alphabet[threadIdx.x % 10];
    if (threadIdx.x == 0)
        calls = 4;
}

static void device_variables(void)
{
    int got[100], count = 0;
    void *address = NULL;
    fill_table_kernel<<<1, 32>>>(); /* one warp: the store to `calls` comes after all loads */
    FINISH();
    OK(cudaMemcpyFromSymbol(got, table, sizeof got));
    OK(cudaMemcpyFromSymbol(&count, calls, sizeof count));
    OK(cudaGetSymbolAddress(&address, table));
    for (int i = 0; i < 100; i++)
        EXPECT(got[i] == (i < 32 ? 3 * i + 'a' + i % 10 : 0));
    EXPECT(count == 4);
    OK(cudaMemcpy(got, (int *)address + 7, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 3 * 7 + 'h');
    digest(got, sizeof got);
}

__global__ void managed_kernel(int *block)
{
    const int t = (int)threadIdx.x;
    shared_with_host[t] += block[t] * total_of_host;
    block[t] = -t;
}

static void managed_variables(void)
{
    int *block = NULL;
    OK(cudaMallocManaged((void **)&block, 64 * sizeof(int)));
    for (int i = 0; i < 64; i++) {
        shared_with_host[i] = i;
        block[i] = 2 * i;
    }
    managed_kernel<<<1, 64>>>(block);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(shared_with_host[i] == 11 * i && block[i] == -i);
    digest(block, 64 * sizeof(int));
    OK(cudaFree(block));
}

/* ---- local arrays ---------------------------------------------------------------------------- */

__global__ void local_kernel(const int *in, int *out)
{
    int counts[10] = {0}, order[16];
    const int *mine = in + 16 * threadIdx.x;
    for (int i = 0; i < 16; i++)
        counts[mine[i] % 10]++;
    for (int i = 1; i < 10; i++)
        counts[i] += counts[i - 1];
    for (int i = 15; i >= 0; i--)
        order[--counts[mine[i] % 10]] = i;
    for (int i = 0; i < 16; i++)
        out[16 * threadIdx.x + i] = mine[order[i]];
}

static void arrays_of_a_thread(void)
{
    enum { N = 16 * 45 };
    int in[N], got[N];
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    local_kernel<<<1, 45>>>(d_in, out);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(i % 16 == 0 || got[i - 1] % 10 <= got[i] % 10);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- printf and assert ----------------------------------------------------------------------- */

__global__ void talk_kernel(const char *word)
{
    assert(threadIdx.x < 100);
    if (threadIdx.x % 16 == 3)
        printf("%u %s %5.2f %c %#llx %%\n", threadIdx.x, word, 0.5 * threadIdx.x, 'q', 1ull << 40);
}

static void printing(void)
{
    char *word = device_copy("lane", 5);
    printf("before\n");
    talk_kernel<<<1, 64>>>(word);
    FINISH();
    printf("after\n");
    OK(cudaFree(word));
}

/* ---- the device's heap ----------------------------------------------------------------------- */

struct node {
    int value;
    struct node *next;
};

__global__ void build_lists_kernel(struct node **heads, int *sums)
{
    struct node *head = NULL;
    int sum = 0;
    for (int i = 0; i < (int)threadIdx.x % 5 + 1; i++) {
        struct node *fresh = (struct node *)malloc(sizeof *fresh);
        fresh->value = i * (int)threadIdx.x;
        fresh->next = head;
        head = fresh;
    }
    for (const struct node *at = head; at != NULL; at = at->next)
        sum += at->value;
    sums[threadIdx.x] = sum;
    heads[threadIdx.x] = head;
}

__global__ void free_lists_kernel(struct node **heads, int *lengths)
{
    int length = 0;
    for (struct node *at = heads[threadIdx.x]; at != NULL; length++) {
        struct node *next = at->next;
        free(at);
        at = next;
    }
    lengths[threadIdx.x] = length;
}

static void lists_on_the_heap(void)
{
    struct node **heads = device_array<struct node *>(70);
    int *sums = device_array<int>(70), *lengths = device_array<int>(70), got[70], count[70];
    build_lists_kernel<<<1, 70>>>(heads, sums);
    free_lists_kernel<<<1, 70>>>(heads, lengths);
    FINISH();
    take(got, sums, 70);
    take(count, lengths, 70);
    for (int t = 0; t < 70; t++) {
        const int n = t % 5;
        EXPECT(got[t] == t * n * (n + 1) / 2 && count[t] == n + 1);
    }
    digest(got, sizeof got);
    OK(cudaFree(heads));
}

/* ---- flow ------------------------------------------------------------------------------------ */

__global__ void flow_kernel(const unsigned *in, unsigned *out)
{
    unsigned x = in[threadIdx.x], steps = 0;
    for (;;) {
        if (x % 11 == 0)
            break;
        if (x % 2 == 0) {
            x /= 2;
            steps += 1;
            continue;
        }
        for (unsigned k = 0; k < x % 4; k++) {
            steps += k;
            if (steps % 7 == 6)
                goto out;
        }
        switch (x % 6) {
        case 1:
            x = x * 3 + 1;
            break;
        case 3:
            x += 7;
            /* fall through */
        default:
            x -= steps % 2 ? 4 : 1;
        }
        if (++steps > 200)
            break;
    }
    steps += 1000;
out:
    out[threadIdx.x] = steps;
}

static unsigned flow_on_host(unsigned x)
{
    unsigned steps = 0;
    while (x % 11 != 0) {
        if (x % 2 == 0) {
            x /= 2;
            steps += 1;
            continue;
        }
        for (unsigned k = 0; k < x % 4; k++) {
            steps += k;
            if (steps % 7 == 6)
                return steps;
        }
        if (x % 6 == 1)
            x = x * 3 + 1;
        else
            x += (x % 6 == 3 ? 7u : 0u) - (steps % 2 ? 4u : 1u);
        if (++steps > 200)
            break;
    }
    return steps + 1000;
}

static void divergent_flow(void)
{
    enum { N = 256 };
    unsigned in[N], got[N];
    for (unsigned i = 0; i < N; i++)
        in[i] = scrambled(i) % 10000;
    unsigned *d_in = device_copy(in, N), *out = device_array<unsigned>(N);
    flow_kernel<<<1, N>>>(d_in, out);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++)
        EXPECT(got[i] == flow_on_host(in[i]));
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- vector types ---------------------------------------------------------------------------- */

__global__ void vectors_kernel(const float4 *in, float4 *out, double2 *doubles, short2 *shorts,
    longlong2 *longs, uchar4 *bytes)
{
    const unsigned t = threadIdx.x;
    const float4 v = in[t];
    out[t] = make_float4(v.w, v.z, v.y, v.x + v.y);
    doubles[t] = make_double2(v.x / 2, (double)v.y * v.z);
    shorts[t] = make_short2((short)v.x, (short)-v.y);
    longs[t] = make_longlong2((long long)v.x << 33, -(long long)t);
    bytes[t] = make_uchar4((unsigned char)v.x, (unsigned char)v.y, (unsigned char)v.z, 255);
}

static void vector_types(void)
{
    float4 in[33], got[33];
    double2 doubles[33];
    short2 shorts[33];
    longlong2 longs[33];
    uchar4 bytes[33];
    for (unsigned i = 0; i < 33; i++)
        in[i] = make_float4((float)i, (float)(i * 2), (float)(i % 7), 1.25f);
    float4 *d_in = device_copy(in, 33), *out = device_array<float4>(33);
    double2 *d_doubles = device_array<double2>(33);
    short2 *d_shorts = device_array<short2>(33);
    longlong2 *d_longs = device_array<longlong2>(33);
    uchar4 *d_bytes = device_array<uchar4>(33);
    vectors_kernel<<<1, 33>>>(d_in, out, d_doubles, d_shorts, d_longs, d_bytes);
    FINISH();
    take(got, out, 33);
    take(doubles, d_doubles, 33);
    take(shorts, d_shorts, 33);
    take(longs, d_longs, 33);
    take(bytes, d_bytes, 33);
    for (int i = 0; i < 33; i++) {
        EXPECT(got[i].x == 1.25f && got[i].y == i % 7 && got[i].z == 2 * i && got[i].w == 3 * i);
        EXPECT(doubles[i].x == i / 2.0 && doubles[i].y == 2.0 * i * (i % 7));
        EXPECT(shorts[i].x == i && shorts[i].y == -2 * i);
        EXPECT(longs[i].x == (long long)i << 33 && longs[i].y == -i);
        EXPECT(bytes[i].x == i && bytes[i].y == 2 * i && bytes[i].z == i % 7 && bytes[i].w == 255);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(constant_memory), CASE(device_variables), CASE(managed_variables),
    CASE(arrays_of_a_thread), CASE(printing), CASE(lists_on_the_heap), CASE(divergent_flow),
    CASE(vector_types))
