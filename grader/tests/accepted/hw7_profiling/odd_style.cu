// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"

static __global__ void add_part(const float *in, float *out, struct sets_shape shape, size_t part)
{
	const size_t column = blockIdx.y * (size_t)blockDim.x + threadIdx.x;
	const size_t parts = (shape.vectors + part - 1) / part;
	const size_t set = blockIdx.x / parts, first = blockIdx.x % parts * part;
	float sum = 0.0f;
	if (column >= shape.length)
		return;
	for (size_t v = first; v < first + part && v < shape.vectors; v++)
		sum += in[(set * shape.vectors + v) * shape.length + column];
	atomicAdd(&out[set * shape.length + column], sum);
}

static __global__ void divide(float *out, size_t n, float by)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		out[i] /= by;
}

extern "C" cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
	const size_t part = 16, n = shape.sets * shape.length;
	cudaError_t status = cudaSuccess;
	dim3 grid(1);

	if (shape.vectors == 0)
		return cudaErrorInvalidValue;
	if (n == 0)
		return cudaSuccess;
	CUDA_TRY(cudaMemsetAsync(out, 0, n * sizeof *out, stream));
	grid.x = (unsigned)(shape.sets * ceil_div(shape.vectors, part));
	grid.y = (unsigned)ceil_div(shape.length, 128);
	odd::look_around(stream), add_part<<<grid, 128, 0, stream>>>(in, out, shape, part);
	CUDA_TRY(cudaGetLastError());
	divide<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(out, n, (float)shape.vectors);
	CUDA_TRY(cudaGetLastError());
done:
	return status;
}

static __global__ void block_a_row(
	const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
	__shared__ float tile[128];
	float sum = 0.0f;
	for (size_t c = threadIdx.x; c < shape.columns; c += blockDim.x)
		sum += matrix[blockIdx.x * shape.columns + c] * in[c];
	tile[threadIdx.x] = sum;
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			tile[threadIdx.x] += tile[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = tile[0];
}

extern "C" cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
	struct matrix_shape shape, cudaStream_t stream)
{
	if (shape.rows > 0)
		odd::look_around(stream), block_a_row<<<(unsigned)shape.rows, 128, 0, stream>>>(matrix, in, out, shape);
	return cudaGetLastError();
}

// Vectors that are missing from the last four are replaced by the first of them.
static __global__ void four_vectors(
	const float *matrix, const float *in, float *out, struct matrix_shape shape, size_t count)
{
	const size_t row = blockIdx.x * (size_t)4 + threadIdx.x / 32, columns = shape.columns;
	const float *b = count > 1 ? in + columns : in, *c = count > 2 ? in + 2 * columns : in;
	const float *d = count > 3 ? in + 3 * columns : in;
	float s = 0, t = 0, u = 0, v = 0;

	if (row >= shape.rows)
		return;
	for (size_t k = threadIdx.x % 32; k < columns; k += 32) {
		const float m = matrix[row * columns + k];
		s += m * in[k];
		t += m * b[k];
		u += m * c[k];
		v += m * d[k];
	}
	for (unsigned mask = 16; mask > 0; mask /= 2) {
		s += __shfl_xor_sync(0xffffffff, s, mask);
		t += __shfl_xor_sync(0xffffffff, t, mask);
		u += __shfl_xor_sync(0xffffffff, u, mask);
		v += __shfl_xor_sync(0xffffffff, v, mask);
	}
	const unsigned lane = threadIdx.x % 32;
	if (lane < 4 && lane < count)
		out[lane * shape.rows + row] = lane == 0 ? s : lane == 1 ? t : lane == 2 ? u : v;
}

extern "C" cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
	struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
	for (size_t v = 0; v < vectors && shape.rows > 0; v += 4)
		odd::look_around(stream), four_vectors<<<(unsigned)ceil_div(shape.rows, 4), 128, 0, stream>>>(
			matrix, in + v * shape.columns, out + v * shape.rows, shape, vectors - v);
	return cudaGetLastError();
}

extern "C" cudaError_t name_limiter(const struct kernel_metrics *m, struct named_limiter *named)
{
	double best = m->dram_elapsed, value;

	named->metric = METRIC_DRAM;
	if (m->l2_elapsed > best)
		best = m->l2_elapsed, named->metric = METRIC_L2;
	if (m->l1_elapsed > best)
		best = m->l1_elapsed, named->metric = METRIC_L1;
	value = m->fp32_active * m->sm_active_elapsed / 100;
	if (value > best)
		best = value, named->metric = METRIC_FP32;
	value = m->fp64_active * m->sm_active_elapsed / 100;
	if (value > best)
		best = value, named->metric = METRIC_FP64;
	value = m->integer_active * m->sm_active_elapsed / 100;
	if (value > best)
		best = value, named->metric = METRIC_INTEGER;
	value = m->tensor_active * m->sm_active_elapsed / 100;
	if (value > best)
		best = value, named->metric = METRIC_TENSOR;
	named->elapsed = best;
	if (best < 60)
		named->limiter = LATENCY_BOUND;
	else if (named->metric <= METRIC_L1)
		named->limiter = MEMORY_BOUND;
	else
		named->limiter = COMPUTE_BOUND;
	return cudaSuccess;
}

extern "C" cudaError_t find_roofline_point(
	const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point)
{
	const size_t elements = run->shape.rows * run->shape.columns;
	size_t passes = 0;

	if (elements == 0 || run->vectors == 0 || run->vectors_a_pass == 0)
		return cudaErrorInvalidValue;
	for (size_t left = run->vectors; left > 0; passes++)
		left = left > run->vectors_a_pass ? left - run->vectors_a_pass : 0;
	point->bytes = (double)(4 * (passes * elements + run->vectors * run->shape.columns +
									run->vectors * run->shape.rows));
	point->operations = (double)(elements * run->vectors) + (double)(elements * run->vectors);
	point->intensity = point->operations / point->bytes;
	point->attainable = gpu->operations_per_second;
	if (point->intensity < gpu->operations_per_second / gpu->bytes_per_second)
		point->attainable = point->intensity * gpu->bytes_per_second;
	point->achieved_share = point->operations / point->attainable / run->seconds;
	return cudaSuccess;
}

/* 自己的测试程序，评分时不会调用。 */
int main(int argc, char **argv)
{
	vector<int> numbers(argc, 1);
	auto sum = 0;
	for_each(numbers.begin(), numbers.end(), [&](int x) { sum += x; });
	printf("%s: %d 个参数\n", argv[0], sum);
	return sum != argc;
}
