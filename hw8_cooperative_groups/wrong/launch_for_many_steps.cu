// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=not-one-cooperative task=hw8.4
// No cooperative launch and no barrier of the grid: an ordinary launch for every 32 steps,
// of tiles with wide halos, in whose cost in memory few launches are lost.
#include "cuda_try.h"

static constexpr int HALO = 32, TILE = 4096, THREADS = 1024;

static __global__ void tiles(const float *in, float *out, size_t n, int steps)
{
    __shared__ float memory[2][TILE + 2 * HALO];
    const size_t first = blockIdx.x * (size_t)TILE;
    float *now = memory[0], *next = memory[1];

    for (int i = (int)threadIdx.x; i < TILE + 2 * HALO; i += THREADS) {
        const size_t at = first + i;
        now[i] = next[i] = at >= HALO && at - HALO < n ? in[at - HALO] : 0;
    }
    for (int step = 0; step < steps; step++) {
        __syncthreads();
        for (int i = 1 + (int)threadIdx.x; i < TILE + 2 * HALO - 1; i += THREADS) {
            const size_t at = first + i;
            if (at >= HALO + 1 && at - HALO + 1 < n)
                next[i] = 0.5f * now[i - 1] + 0.5f * now[i + 1];
        }
        float *other = now;
        now = next;
        next = other;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILE; i += THREADS)
        if (first + i < n)
            out[first + i] = now[i + HALO];
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, supported = 0;
    unsigned launches = steps / HALO + (steps % HALO != 0 || steps == 0);
    const float *from = in;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    if (!supported)
        return cudaErrorNotSupported;
    for (unsigned k = 0; n > 0 && k < launches; k++) {
        float *to = (launches - k) % 2 ? out : (float *)scratch;
        const unsigned now = k + 1 < launches ? HALO : steps - k * HALO;
        tiles<<<(unsigned)((n + TILE - 1) / TILE), THREADS, 0, stream>>>(from, to, n, (int)now);
        CUDA_TRY(cudaGetLastError());
        from = to;
    }
done:
    return status;
}
