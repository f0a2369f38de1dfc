/* Homework 7, the contract: what your file defines and the grader calls.
 *
 * In hw7.1 to hw7.3 all pointers are device pointers from cudaMalloc, and what is read and what is
 * written do not overlap. The functions queue their work on `stream` and return; the caller
 * synchronises. Outputs are overwritten, never accumulated. hw7.4 and hw7.5 compute on the host. */
#ifndef PROFILING_H
#define PROFILING_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `sets` sets of `vectors` vectors of `length` floats, one behind the other. */
struct sets_shape {
    size_t sets, vectors, length;
};

/* A row-major matrix. */
struct matrix_shape {
    size_t rows, columns;
};

/* hw7.1: out[s][i] = the average of element i of the vectors of set s.
 *
 *   in    sets x vectors x length floats, 16-byte aligned
 *   out   sets x length floats, 16-byte aligned
 *   shape sets and length may be 0: then nothing is written; sets may pass 65,535
 *         vectors = 0 returns cudaErrorInvalidValue, whatever the rest is
 *
 * Returns the first error.  |error| <= (log2(vectors) + 8) * 2^-24 * the average of |in|.
 */
cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream);

/* hw7.2: out = matrix * in, one vector.
 *
 *   matrix rows x columns floats, 16-byte aligned
 *   in     columns floats, 16-byte aligned
 *   out    rows floats, 16-byte aligned
 *   shape  any; with 0 columns every product is 0.0f; rows may pass 65,535
 *
 * Returns the first error.  |error| <= (log2(columns) + 8) * 2^-24 * sum |matrix * in| of the row.
 */
cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream);

/* hw7.3: the same for `vectors` vectors: vector v is in[v * columns …], and its product goes to
 * out[v * rows …].
 *
 *   in, out vectors x columns and vectors x rows floats, 16-byte aligned
 *   vectors any; with 0 nothing is written
 *
 * Everything else as for hw7.2.  Eight vectors may load, all in all, 11 sectors for each sector of
 * the matrix: a vector at a time loads 16, all eight in one pass 9 or fewer.
 */
cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream);

/* What Nsight Compute says of a kernel, in per cent of the peak. Memory and sm_active count
 * the whole time of the kernel (…pct_of_peak_sustained_elapsed); those of the units count only
 * the cycles in which an SM had work (…pct_of_peak_sustained_active). */
struct kernel_metrics {
    double sm_active_elapsed; /* sm__cycles_active: how much of the time the SMs had work */
    double dram_elapsed;      /* dram__throughput */
    double l2_elapsed;        /* lts__t_sectors */
    double l1_elapsed;        /* l1tex__data_pipe_lsu_wavefronts: L1 cache and shared memory */
    double fp32_active;       /* sm__pipe_fma_cycles_active */
    double fp64_active;       /* sm__pipe_fp64_cycles_active */
    double integer_active;    /* sm__pipe_alu_cycles_active: integers, logic, comparisons */
    double tensor_active;     /* sm__pipe_tensor_op_hmma_cycles_active */
};

enum limiter { MEMORY_BOUND, COMPUTE_BOUND, LATENCY_BOUND };

enum metric {
    METRIC_DRAM,
    METRIC_L2,
    METRIC_L1,
    METRIC_FP32,
    METRIC_FP64,
    METRIC_INTEGER,
    METRIC_TENSOR,
    METRICS
};

struct named_limiter {
    enum limiter limiter;
    enum metric metric;
    double elapsed; /* the metric's value, in per cent of the peak over the whole time */
};

/* hw7.4: names what limits a kernel, and the metric that shows it.
 *
 *   metrics 0 to 100 each
 *   named   metric: the largest of the seven, once all count the whole time; of equals the first
 *           limiter: what that metric measures, if it is at least 60; else LATENCY_BOUND
 *           elapsed: its value; |error| <= 0.001
 */
cudaError_t name_limiter(const struct kernel_metrics *metrics, struct named_limiter *named);

/* A run of hw7.3, and the GPU that it ran on. */
struct product_run {
    struct matrix_shape shape;
    size_t vectors;
    size_t vectors_a_pass; /* for each pass the whole matrix is read once */
    double seconds;
};

struct gpu_peaks {
    double bytes_per_second, operations_per_second;
};

struct roofline_point {
    double bytes;          /* floats moved, 4 bytes each: the matrix in every pass, each vector
                              and each result once */
    double operations;     /* a multiplication and an addition for each element and vector */
    double intensity;      /* operations a byte */
    double attainable;     /* operations a second that the roof allows at this intensity */
    double achieved_share; /* of what is attainable: 1 is on the roof */
};

/* hw7.5: where a run stands under the roofline.
 *
 *   run   seconds > 0; counts may pass 2^32
 *   gpu   both peaks > 0
 *   point all five; relative error <= 1e-9
 *
 * Without rows, columns, vectors or vectors a pass there is no point: cudaErrorInvalidValue.
 */
cudaError_t find_roofline_point(
    const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point);

#ifdef __cplusplus
}
#endif

#endif
