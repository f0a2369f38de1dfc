/* Calls: recursion, pointers, virtual functions, templates, lambdas, structures by value. */
#include "../corpus.h"

/* ---- recursion ------------------------------------------------------------------------------- */

__device__ __noinline__ unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ bool is_odd(unsigned n);

__device__ __noinline__ bool is_even(unsigned n)
{
    return n == 0 || is_odd(n - 1);
}

__device__ __noinline__ bool is_odd(unsigned n)
{
    return n != 0 && is_even(n - 1);
}

__global__ void recursion_kernel(unsigned *out)
{
    const unsigned t = threadIdx.x;
    out[t] = 2 * fibonacci(t % 13) + is_even(t * 7 % 20);
}

static void recursion(void)
{
    unsigned *out = device_array<unsigned>(40), got[40], a[13] = {0, 1};
    recursion_kernel<<<1, 40>>>(out);
    FINISH();
    take(got, out, 40);
    for (int i = 2; i < 13; i++)
        a[i] = a[i - 1] + a[i - 2];
    for (unsigned t = 0; t < 40; t++)
        EXPECT(got[t] == 2 * a[t % 13] + (t * 7 % 20 % 2 == 0));
    digest(got, sizeof got);
}

/* Each level keeps an array of its own. */
__device__ __noinline__ int quick_sort(int *values, int n, int depth)
{
    int smaller[8], larger[8], s = 0, l = 0;
    if (n < 2)
        return depth;
    for (int i = 1; i < n; i++)
        if (values[i] < values[0])
            smaller[s++] = values[i];
        else
            larger[l++] = values[i];
    const int deepest = max(quick_sort(smaller, s, depth + 1), quick_sort(larger, l, depth + 1));
    values[s] = values[0];
    for (int i = 0; i < s; i++)
        values[i] = smaller[i];
    for (int i = 0; i < l; i++)
        values[s + 1 + i] = larger[i];
    return deepest;
}

__global__ void sort_rows_kernel(int *rows, int *depths)
{
    depths[threadIdx.x] = quick_sort(rows + 8 * threadIdx.x, 8, 0);
}

static void recursion_with_arrays(void)
{
    enum { ROWS = 37 };
    int rows[8 * ROWS], depths[ROWS];
    for (int i = 0; i < 8 * ROWS; i++)
        rows[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_rows = device_copy(rows, 8 * ROWS), *d_depths = device_array<int>(ROWS);
    sort_rows_kernel<<<1, ROWS>>>(d_rows, d_depths);
    FINISH();
    take(rows, d_rows, 8 * ROWS);
    take(depths, d_depths, ROWS);
    for (int i = 0; i < 8 * ROWS; i++)
        EXPECT(i % 8 == 0 || rows[i - 1] <= rows[i]);
    for (int r = 0; r < ROWS; r++)
        EXPECT(depths[r] >= 3 && depths[r] <= 8);
    digest(rows, sizeof rows);
    digest(depths, sizeof depths);
}

/* ---- function pointers ----------------------------------------------------------------------- */

typedef int operation(int, int);

__device__ int add(int a, int b)
{
    return a + b;
}
__device__ int subtract(int a, int b)
{
    return a - b;
}
__device__ int multiply(int a, int b)
{
    return a * b;
}

__device__ operation *const operations[] = {add, subtract, multiply};
__device__ operation *chosen = subtract;

__device__ __noinline__ int apply(operation *f, int a, int b)
{
    return f(a, b);
}

__global__ void pointers_kernel(int *out)
{
    const int t = (int)threadIdx.x;
    out[t] = apply(operations[t % 3], t, 3) + chosen(0, t);
}

static void function_pointers(void)
{
    int *out = device_array<int>(64), got[64];
    pointers_kernel<<<1, 64>>>(out);
    FINISH();
    take(got, out, 64);
    for (int t = 0; t < 64; t++)
        EXPECT(got[t] == (t % 3 == 0 ? t + 3 : t % 3 == 1 ? t - 3 : t * 3) - t);
    digest(got, sizeof got);
}

/* ---- virtual functions ----------------------------------------------------------------------- */

struct shape {
    __device__ virtual ~shape()
    {
    }
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const
    {
        return 4;
    }
};

struct rectangle : shape {
    int width, height;
    __device__ rectangle(int w, int h) : width(w), height(h)
    {
    }
    __device__ int area() const override
    {
        return width * height;
    }
};

struct triangle : rectangle {
    __device__ triangle(int w, int h) : rectangle(w, h)
    {
    }
    __device__ int area() const override
    {
        return rectangle::area() / 2;
    }
    __device__ int corners() const override
    {
        return 3;
    }
};

__global__ void make_shapes_kernel(shape **shapes)
{
    const int t = (int)threadIdx.x;
    shapes[t] = t % 2 ? new triangle(t + 1, 6) : new rectangle(t + 1, 6);
}

__global__ void use_shapes_kernel(shape **shapes, int *out)
{
    const shape *mine = shapes[threadIdx.x];
    out[threadIdx.x] = 10 * mine->area() + mine->corners();
}

__global__ void delete_shapes_kernel(shape **shapes)
{
    delete shapes[threadIdx.x];
}

static void virtual_functions(void)
{
    shape **shapes = device_array<shape *>(50);
    int *out = device_array<int>(50), got[50];
    make_shapes_kernel<<<1, 50>>>(shapes);
    use_shapes_kernel<<<1, 50>>>(shapes, out);
    delete_shapes_kernel<<<1, 50>>>(shapes);
    FINISH();
    take(got, out, 50);
    for (int t = 0; t < 50; t++)
        EXPECT(got[t] == (t % 2 ? 30 * (t + 1) + 3 : 60 * (t + 1) + 4));
    digest(got, sizeof got);
    OK(cudaFree(shapes));
}

/* ---- templates and lambdas ------------------------------------------------------------------- */

template <class T, int Count, class Function>
__device__ T fold(const T *values, T start, Function f)
{
    T result = start;
#pragma unroll
    for (int i = 0; i < Count; i++)
        result = f(result, values[i]);
    return result;
}

template <class T> __global__ void fold_kernel(const T *in, T *out)
{
    const T *mine = in + 4 * threadIdx.x;
    const T scale = (T)threadIdx.x;
    out[2 * threadIdx.x] = fold<T, 4>(mine, 0, [scale](T a, T b) { return a + scale * b; });
    out[2 * threadIdx.x + 1] = fold<T, 4>(mine, mine[0], [](T a, T b) { return a > b ? a : b; });
}

template <class T> static void check_fold(void)
{
    T in[128], got[64], *d_in, *out = device_array<T>(64);
    for (int i = 0; i < 128; i++)
        in[i] = (T)(scrambled((unsigned)i) % 100);
    d_in = device_copy(in, 128);
    fold_kernel<<<1, 32>>>(d_in, out);
    FINISH();
    take(got, out, 64);
    for (int t = 0; t < 32; t++) {
        T sum = 0, most = in[4 * t];
        for (int k = 4 * t; k < 4 * t + 4; k++) {
            sum += (T)t * in[k];
            most = in[k] > most ? in[k] : most;
        }
        EXPECT(got[2 * t] == sum && got[2 * t + 1] == most);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

static void templates_and_lambdas(void)
{
    check_fold<int>();
    check_fold<double>();
    check_fold<unsigned long long>();
}

/* ---- structures by value --------------------------------------------------------------------- */

struct settings {
    int table[20];
    double scale;
    char tag;
    float2 pair;
};

__device__ __noinline__ struct settings scaled(struct settings s, int by)
{
    for (int i = 0; i < 20; i++)
        s.table[i] *= by;
    s.scale *= by;
    s.tag++;
    return s;
}

__global__ void by_value_kernel(const struct settings given, double *out)
{
    const struct settings s = scaled(given, (int)threadIdx.x);
    out[threadIdx.x] = s.table[threadIdx.x % 20] + s.scale + s.tag + given.table[3] + s.pair.y;
}

static void structures_by_value(void)
{
    struct settings given = {{0}, 0.5, 'a', {1, 2}};
    double *out = device_array<double>(60), got[60];
    for (int i = 0; i < 20; i++)
        given.table[i] = i * i;
    by_value_kernel<<<1, 60>>>(given, out);
    given.table[3] = -1; /* the launch has its own copy */
    FINISH();
    take(got, out, 60);
    for (int t = 0; t < 60; t++)
        EXPECT(got[t] == t % 20 * (t % 20) * t + 0.5 * t + 'b' + 9 + 2);
    digest(got, sizeof got);
}

/* ---- collectives inside functions ------------------------------------------------------------ */

__device__ __noinline__ int warp_sum(unsigned mask, int x)
{
    for (int step = 8; step > 0; step /= 2)
        x += __shfl_xor_sync(mask, x, step);
    return x;
}

/* The two halves call it from two places. */
__global__ void called_collectives_kernel(int *out)
{
    const int t = (int)threadIdx.x;
    int x;
    if (t % 32 < 16)
        x = warp_sum(0xFFFFu, t);
    else
        x = -warp_sum(0xFFFF0000u, 2 * t);
    out[t] = x + __shfl_xor_sync(0xFFFFFFFFu, x, 16);
}

static void collectives_in_functions(void)
{
    int *out = device_array<int>(64), got[64];
    called_collectives_kernel<<<1, 64>>>(out);
    FINISH();
    take(got, out, 64);
    for (int t = 0; t < 64; t++) {
        const int first = t / 32 * 32, low = 16 * first + 120, high = 16 * (first + 16) + 120;
        EXPECT(got[t] == low - 2 * high);
    }
    digest(got, sizeof got);
}

/* Lanes take different branches and call one function with one mask. */
__device__ __noinline__ unsigned who_is_here(int x)
{
    return __ballot_sync(0xFFFFFFFFu, x > 100);
}

__global__ void called_from_branches_kernel(const int *in, unsigned *out)
{
    const int x = in[threadIdx.x];
    unsigned votes;
    if (x % 2 == 0)
        votes = who_is_here(x / 2);
    else
        votes = who_is_here(3 * x);
    out[threadIdx.x] = votes;
}

static void one_call_from_two_branches(void)
{
    int in[32];
    unsigned got[32], want = 0;
    for (int i = 0; i < 32; i++) {
        in[i] = (int)(scrambled((unsigned)i) % 300);
        want |= (unsigned)((in[i] % 2 == 0 ? in[i] / 2 : 3 * in[i]) > 100) << i;
    }
    int *d_in = device_copy(in, 32);
    unsigned *out = device_array<unsigned>(32);
    called_from_branches_kernel<<<1, 32>>>(d_in, out);
    FINISH();
    take(got, out, 32);
    for (int i = 0; i < 32; i++)
        EXPECT(got[i] == want);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(recursion), CASE(recursion_with_arrays), CASE(function_pointers),
    CASE(virtual_functions), CASE(templates_and_lambdas), CASE(structures_by_value),
    CASE(collectives_in_functions), CASE(one_call_from_two_branches))
