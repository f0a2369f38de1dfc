/* Tiles in shared memory: halos, transposes, matrix products, ragged edges. */
#include "../corpus.h"

/* ---- a stencil with halos -------------------------------------------------------------------- */

enum { RADIUS = 3, LINE = 64 };

__global__ void line_stencil_kernel(const int *in, int *out, int n)
{
    __shared__ int tile[LINE + 2 * RADIUS];
    const int t = (int)threadIdx.x, i = (int)blockIdx.x * LINE + t;
    tile[t + RADIUS] = i < n ? in[i] : 0;
    if (t < RADIUS) {
        tile[t] = i >= RADIUS ? in[i - RADIUS] : 0;
        tile[t + LINE + RADIUS] = i + LINE < n ? in[i + LINE] : 0;
    }
    __syncthreads();
    if (i >= n)
        return;
    int sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += (RADIUS + 1 - abs(k)) * tile[t + RADIUS + k];
    out[i] = sum;
}

static void stencil_with_halos(void)
{
    enum { N = 500 };
    static int in[N], got[N];
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    line_stencil_kernel<<<(N + LINE - 1) / LINE, LINE>>>(d_in, out, N);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++) {
        int want = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            want += i + k >= 0 && i + k < N ? (RADIUS + 1 - abs(k)) * in[i + k] : 0;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* Overlapping tiles in one dynamic array: blocks load more than they write. */
__global__ void box_kernel(const float *in, float *out, int rows, int columns)
{
    extern __shared__ float box[];
    const int width = (int)blockDim.x, height = (int)blockDim.y;
    const int x = (int)blockIdx.x * (width - 2) + (int)threadIdx.x - 1;
    const int y = (int)blockIdx.y * (height - 2) + (int)threadIdx.y - 1;
    const bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
    const int at = (int)threadIdx.y * width + (int)threadIdx.x;
    box[at] = inside ? in[y * columns + x] : 0;
    __syncthreads();
    const bool edge = threadIdx.x == 0 || threadIdx.y == 0 || threadIdx.x == blockDim.x - 1 ||
                      threadIdx.y == blockDim.y - 1;
    if (inside && !edge) {
        float sum = 0;
        for (int dy = -width; dy <= width; dy += width)
            sum += box[at + dy - 1] + box[at + dy] + box[at + dy + 1];
        out[y * columns + x] = sum;
    }
}

static void overlapping_tiles(void)
{
    enum { ROWS = 37, COLUMNS = 41 };
    static float in[ROWS * COLUMNS], got[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i] = (float)(scrambled((unsigned)i) % 64);
    float *d_in = device_copy(in, ROWS * COLUMNS), *out = device_array<float>(ROWS * COLUMNS);
    const dim3 block(12, 9), grid((COLUMNS + 9) / 10, (ROWS + 6) / 7);
    box_kernel<<<grid, block, 12 * 9 * sizeof(float)>>>(d_in, out, ROWS, COLUMNS);
    FINISH();
    take(got, out, ROWS * COLUMNS);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            float want = 0;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++)
                    want += u >= 0 && u < COLUMNS && v >= 0 && v < ROWS ? in[v * COLUMNS + u] : 0;
            EXPECT(got[y * COLUMNS + x] == want);
        }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- transposes ------------------------------------------------------------------------------ */

__global__ void transpose_kernel(const int *in, int *out, int rows, int columns)
{
    __shared__ int tile[16][17];
    const int x = (int)(blockIdx.x * 16 + threadIdx.x), y = (int)(blockIdx.y * 16 + threadIdx.y);
    for (int k = 0; k < 16; k += 4)
        if (x < columns && y + k < rows)
            tile[threadIdx.y + (unsigned)k][threadIdx.x] = in[(y + k) * columns + x];
    __syncthreads();
    const int u = (int)(blockIdx.y * 16 + threadIdx.x);
    for (int k = 0; k < 16; k += 4) {
        const int v = (int)(blockIdx.x * 16 + threadIdx.y) + k;
        if (u < rows && v < columns)
            out[v * rows + u] = tile[threadIdx.x][threadIdx.y + (unsigned)k];
    }
}

static void transpose(void)
{
    enum { ROWS = 50, COLUMNS = 35, N = ROWS * COLUMNS };
    static int in[N], got[N];
    for (int i = 0; i < N; i++)
        in[i] = i;
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    const dim3 block(16, 4), grid((COLUMNS + 15) / 16, (ROWS + 15) / 16);
    /* Tiles start at multiples of 16 rows, of which a block's four passes cover all. */
    transpose_kernel<<<grid, block>>>(d_in, out, ROWS, COLUMNS);
    FINISH();
    take(got, out, N);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            EXPECT(got[x * ROWS + y] == in[y * COLUMNS + x]);
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* In place: a block exchanges a tile with its mirror image; the diagonal keeps to itself. */
__global__ void transpose_in_place_kernel(int *a, int n)
{
    __shared__ int here[8][9], there[8][9];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    if (blockIdx.x < blockIdx.y)
        return;
    const unsigned x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    const unsigned u = blockIdx.y * 8 + tx, v = blockIdx.x * 8 + ty;
    here[ty][tx] = a[y * n + x];
    there[ty][tx] = a[v * n + u];
    __syncthreads();
    a[v * n + u] = here[tx][ty];
    if (blockIdx.x != blockIdx.y)
        a[y * n + x] = there[tx][ty];
}

static void transpose_in_place(void)
{
    enum { N = 32 };
    int in[N * N], got[N * N];
    for (int i = 0; i < N * N; i++)
        in[i] = i;
    int *d = device_copy(in, N * N);
    transpose_in_place_kernel<<<dim3(N / 8, N / 8), dim3(8, 8)>>>(d, N);
    FINISH();
    take(got, d, N * N);
    for (int i = 0; i < N * N; i++)
        EXPECT(got[i] == i % N * N + i / N);
    digest(got, sizeof got);
}

/* ---- matrix products ------------------------------------------------------------------------- */

enum { TILE = 8 };

__global__ void multiply_kernel(const int *a, const int *b, int *c, int m, int k, int n)
{
    __shared__ int tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = (int)(blockIdx.x * TILE + threadIdx.x), tx = (int)threadIdx.x;
    const int y = (int)(blockIdx.y * TILE + threadIdx.y), ty = (int)threadIdx.y;
    int sum = 0;
    for (int base = 0; base < k; base += TILE) {
        tile_a[ty][tx] = y < m && base + tx < k ? a[y * k + base + tx] : 0;
        tile_b[ty][tx] = x < n && base + ty < k ? b[(base + ty) * n + x] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        __syncthreads();
    }
    if (x < n && y < m)
        c[y * n + x] = sum;
}

/* Two buffers: the next tile is loaded while this one is used, one barrier a step. */
__global__ void multiply_twice_buffered_kernel(
    const int *a, const int *b, int *c, int m, int k, int n)
{
    __shared__ int tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
    const int x = (int)(blockIdx.x * TILE + threadIdx.x), tx = (int)threadIdx.x;
    const int y = (int)(blockIdx.y * TILE + threadIdx.y), ty = (int)threadIdx.y;
    int sum = 0, now = 0;
    tile_a[0][ty][tx] = y < m && tx < k ? a[y * k + tx] : 0;
    tile_b[0][ty][tx] = x < n && ty < k ? b[ty * n + x] : 0;
    for (int base = 0; base < k; base += TILE, now ^= 1) {
        __syncthreads();
        const int next = base + TILE;
        if (next < k) {
            tile_a[now ^ 1][ty][tx] = y < m && next + tx < k ? a[y * k + next + tx] : 0;
            tile_b[now ^ 1][ty][tx] = x < n && next + ty < k ? b[(next + ty) * n + x] : 0;
        }
        for (int i = 0; i < TILE; i++)
            sum += tile_a[now][ty][i] * tile_b[now][i][tx];
    }
    if (x < n && y < m)
        c[y * n + x] = sum;
}

static void matrix_product(void)
{
    enum { M = 21, K = 30, N = 18 };
    static int a[M * K], b[K * N], got[M * N], want[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = (int)(scrambled((unsigned)i) % 20) - 10;
    for (int i = 0; i < K * N; i++)
        b[i] = (int)(scrambled((unsigned)i + 7777) % 20) - 10;
    for (int y = 0; y < M; y++)
        for (int x = 0; x < N; x++)
            for (int i = 0; i < K; i++)
                want[y * N + x] += a[y * K + i] * b[i * N + x];
    int *d_a = device_copy(a, M * K), *d_b = device_copy(b, K * N), *c = device_array<int>(M * N);
    const dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    multiply_kernel<<<grid, block>>>(d_a, d_b, c, M, K, N);
    FINISH();
    fetch(got, c, M * N);
    EXPECT_SAME(got, want, M * N);
    OK(cudaMemset(c, 0xFF, sizeof got));
    multiply_twice_buffered_kernel<<<grid, block>>>(d_a, d_b, c, M, K, N);
    FINISH();
    take(got, c, M * N);
    EXPECT_SAME(got, want, M * N);
    digest(got, sizeof got);
    OK(cudaFree(d_a));
    OK(cudaFree(d_b));
}

/* ---- three dimensions ------------------------------------------------------------------------ */

__global__ void volume_kernel(const int *in, int *out, int3 size)
{
    __shared__ int tile[4][5][9]; /* the block is 7 × 3 × 2, with one more on every side */
    const int tx = (int)threadIdx.x + 1, ty = (int)threadIdx.y + 1, tz = (int)threadIdx.z + 1;
    const int3 corner = make_int3((int)(blockIdx.x * blockDim.x) - 1,
        (int)(blockIdx.y * blockDim.y) - 1, (int)(blockIdx.z * blockDim.z) - 1);
    const int threads = (int)(blockDim.x * blockDim.y * blockDim.z);
    const int rank = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    for (int i = rank; i < 4 * 5 * 9; i += threads) {
        const int x = corner.x + i % 9, y = corner.y + i / 9 % 5, z = corner.z + i / 45;
        const bool inside = x >= 0 && x < size.x && y >= 0 && y < size.y && z >= 0 && z < size.z;
        tile[i / 45][i / 9 % 5][i % 9] = inside ? in[(z * size.y + y) * size.x + x] : 0;
    }
    __syncthreads();
    const int x = corner.x + tx, y = corner.y + ty, z = corner.z + tz;
    if (x < size.x && y < size.y && z < size.z)
        out[(z * size.y + y) * size.x + x] = tile[tz][ty][tx - 1] + tile[tz][ty][tx + 1] +
                                             tile[tz][ty - 1][tx] + tile[tz][ty + 1][tx] +
                                             tile[tz - 1][ty][tx] + tile[tz + 1][ty][tx];
}

static void volume_stencil(void)
{
    enum { X = 20, Y = 10, Z = 5, N = X * Y * Z };
    static int in[N], got[N];
    for (int i = 0; i < N; i++)
        in[i] = (int)(scrambled((unsigned)i) % 1000);
    int *d_in = device_copy(in, N), *out = device_array<int>(N);
    volume_kernel<<<dim3(3, 4, 3), dim3(7, 3, 2)>>>(d_in, out, make_int3(X, Y, Z));
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++) {
        const int x = i % X, y = i / X % Y, z = i / X / Y;
        const int want = (x > 0 ? in[i - 1] : 0) + (x < X - 1 ? in[i + 1] : 0) +
                         (y > 0 ? in[i - X] : 0) + (y < Y - 1 ? in[i + X] : 0) +
                         (z > 0 ? in[i - X * Y] : 0) + (z < Z - 1 ? in[i + X * Y] : 0);
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

/* ---- several arrays in one dynamic allocation ------------------------------------------------ */

__global__ void carved_kernel(const float *in, double *out, int n)
{
    extern __shared__ __align__(16) unsigned char arena[];
    double *sums = (double *)arena;
    float *values = (float *)(sums + n);
    int *order = (int *)(values + n);
    unsigned char *used = (unsigned char *)(order + n);
    const int t = (int)threadIdx.x;
    values[t] = in[blockIdx.x * (unsigned)n + threadIdx.x];
    order[t] = n - 1 - t;
    used[t] = (unsigned char)(t % 2);
    __syncthreads();
    sums[t] = 0;
    for (int k = 0; k <= t; k++)
        sums[t] += used[k] ? values[order[k]] : 0;
    __syncthreads();
    out[blockIdx.x * (unsigned)n + threadIdx.x] = sums[(t + 1) % n];
}

static void several_dynamic_arrays(void)
{
    enum { THREADS = 45, BLOCKS = 3, N = THREADS * BLOCKS };
    float in[N];
    double got[N];
    for (int i = 0; i < N; i++)
        in[i] = (float)(scrambled((unsigned)i) % 1000);
    float *d_in = device_copy(in, N);
    double *out = device_array<double>(N);
    carved_kernel<<<BLOCKS, THREADS, THREADS *(8 + 4 + 4 + 1)>>>(d_in, out, THREADS);
    FINISH();
    take(got, out, N);
    for (int i = 0; i < N; i++) {
        double want = 0;
        for (int k = 0; k <= (i % THREADS + 1) % THREADS; k++)
            want += k % 2 ? in[i / THREADS * THREADS + THREADS - 1 - k] : 0;
        EXPECT(got[i] == want);
    }
    digest(got, sizeof got);
    OK(cudaFree(d_in));
}

CORPUS_MAIN(CASE(stencil_with_halos), CASE(overlapping_tiles), CASE(transpose),
    CASE(transpose_in_place), CASE(matrix_product), CASE(volume_stencil),
    CASE(several_dynamic_arrays))
