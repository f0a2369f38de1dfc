// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"
#include <math_constants.h>

__global__ void tree_kernel(const float *gdata, float *out, long long n)
{
	extern __shared__ float sdata[];
	int tid = threadIdx.x;
	long long idx = (long long)blockIdx.x * blockDim.x + threadIdx.x;

	sdata[tid] = 0.0f;
	while (idx < n) {
		sdata[tid] += gdata[idx];
		idx += (long long)gridDim.x * blockDim.x;
	}
	// Neighbours first, then pairs of pairs: bank conflicts, but few rounds.
	for (int s = 1; s < (int)blockDim.x; s *= 2) {
		__syncthreads();
		if (tid % (2 * s) == 0 && tid + s < (int)blockDim.x)
			sdata[tid] += sdata[tid + s];
	}
	if (tid == 0)
		atomicAdd(out, sdata[0]);
}

extern "C" cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
	long long blocks = 270336 / threads;
	if (blocks > 4096)
		blocks = 4096;
	cudaError_t err = cudaMemsetAsync(out, 0, 4, stream);
	if (err != cudaSuccess)
		return err;
	odd::look_around(stream), tree_kernel<<<(int)blocks, threads, threads * 4, stream>>>(in, out, (long long)n);
	return cudaGetLastError();
}

__global__ void shuffle_kernel(const float *in, float *out, size_t n)
{
	__shared__ float part[32];
	const float4 *p = (const float4 *)in;
	const size_t n4 = n / 4, step = (size_t)gridDim.x * blockDim.x;
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float a = 0, b = 0, c = 0, d = 0;

	for (; i + 3 * step < n4; i += 4 * step) {
		float4 v0 = p[i], v1 = p[i + step], v2 = p[i + 2 * step], v3 = p[i + 3 * step];
		a += v0.x + v1.x + v2.x + v3.x;
		b += v0.y + v1.y + v2.y + v3.y;
		c += v0.z + v1.z + v2.z + v3.z;
		d += v0.w + v1.w + v2.w + v3.w;
	}
	for (; i < n4; i += step)
		a += p[i].x + p[i].y + p[i].z + p[i].w;
	if (blockIdx.x == 0 && threadIdx.x == 0)
		for (size_t j = 4 * n4; j < n; j++)
			a += in[j];

	float v = a + b + c + d;
	for (int m = 16; m; m >>= 1)
		v += __shfl_xor_sync(0xffffffffu, v, m); // a butterfly: every lane gets the sum
	part[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int w = 1; w < (int)blockDim.x / 32; w++)
			v += part[w];
		atomicAdd(out, v);
	}
}

extern "C" cudaError_t sum_shuffle(
	const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
	size_t blocks = 270336 / threads;
	if (blocks > n / (16 * threads) + 1)
		blocks = n / (16 * threads) + 1;
	cudaError_t err = cudaMemsetAsync(out, 0, sizeof *out, stream);
	if (err != cudaSuccess)
		return err;
	odd::look_around(stream), shuffle_kernel<<<(unsigned)blocks, threads, 0, stream>>>(in, out, n);
	return cudaGetLastError();
}

// Block b finds the best of its contiguous part, in two arrays of shared memory.
__global__ void maximum_kernel(
	const float *in, const unsigned *names, unsigned n, float *value, unsigned *index)
{
	__shared__ float v[256];
	__shared__ unsigned at[256];
	unsigned t = threadIdx.x, part = n / gridDim.x + 1;
	unsigned from = blockIdx.x * part;
	unsigned long long to = (unsigned long long)from + part;

	v[t] = -CUDART_INF_F;
	at[t] = 0xffffffffu;
	for (unsigned long long i = (unsigned long long)from + t; i < to && i < n; i += 256) {
		unsigned name = names ? names[i] : (unsigned)i;
		if (in[i] > v[t] || (in[i] == v[t] && name < at[t])) {
			v[t] = in[i];
			at[t] = name;
		}
	}
	for (int s = 128; s > 0; s /= 2) {
		__syncthreads();
		if (t < s && (v[t + s] > v[t] || (v[t + s] == v[t] && at[t + s] < at[t]))) {
			v[t] = v[t + s];
			at[t] = at[t + s];
		}
	}
	if (t == 0) {
		value[blockIdx.x] = v[0];
		index[blockIdx.x] = at[0];
	}
}

extern "C" cudaError_t find_maximum(
	const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
	float *values = (float *)scratch;
	unsigned *indices = (unsigned *)(values + 500);
	if (n == 0)
		return cudaErrorInvalidValue;
	odd::look_around(stream), maximum_kernel<<<500, 256, 0, stream>>>(in, NULL, (unsigned)n, values, indices);
	odd::look_around(stream), maximum_kernel<<<1, 256, 0, stream>>>(values, indices, 500, value, index);
	return cudaGetLastError();
}

__global__ void single_pass_kernel(
	const float *in, float *out, size_t n, volatile double *sums, unsigned *ticket)
{
	__shared__ double s[256];
	__shared__ unsigned mine;
	double x = 0;

	for (size_t i = (size_t)blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * (size_t)gridDim.x)
		x += in[i];
	s[threadIdx.x] = x;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int t = 1; t < 256; t++)
			x += s[t];
		sums[blockIdx.x] = x;
		__threadfence();
		mine = atomicAdd(ticket, 1u);
	}
	__syncthreads();
	if (mine == gridDim.x - 1 && threadIdx.x == 0) {
		__threadfence();
		x = 0;
		for (unsigned b = 0; b < gridDim.x; b++)
			x += sums[b];
		*out = (float)x;
		*ticket = 0; // for the next call
	}
}

extern "C" cudaError_t sum_single_pass(
	const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
	double *sums = (double *)scratch;
	single_pass_kernel<<<200, 256, 0, stream>>>(in, out, n, sums, (unsigned *)(sums + 200));
	return cudaGetLastError();
}

__global__ void rows_kernel(const float *in, float *out, size_t rows, size_t columns)
{
	__shared__ float tile[128];
	for (size_t r = blockIdx.x; r < rows; r += gridDim.x) {
		const float *row = in + r * columns;
		float a = 0, b = 0, c = 0, d = 0;
		size_t i = threadIdx.x;
		for (; i + 384 < columns; i += 512) {
			a += row[i];
			b += row[i + 128];
			c += row[i + 256];
			d += row[i + 384];
		}
		for (; i < columns; i += 128)
			a += row[i];
		tile[threadIdx.x] = a + b + c + d;
		for (int s = 64; s > 0; s /= 2) {
			__syncthreads();
			if (threadIdx.x < s)
				tile[threadIdx.x] += tile[threadIdx.x + s];
		}
		if (threadIdx.x == 0)
			out[r] = tile[0];
		__syncthreads();
	}
}

extern "C" cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
	if (shape.rows == 0)
		return cudaSuccess;
	odd::look_around(stream), rows_kernel<<<(unsigned)(shape.rows < 60000 ? shape.rows : 60000), 128, 0, stream>>>(
		in, out, shape.rows, shape.columns);
	return cudaGetLastError();
}

// The scan in shared memory: two arrays in turn, and a barrier of the warp.
__global__ void scan_kernel(const int *in, int *out, size_t n)
{
	__shared__ int a[2][128];
	size_t i = (size_t)blockIdx.x * 128 + threadIdx.x;
	int t = threadIdx.x, lane = t & 31, from = 0;

	a[0][t] = i < n ? in[i] : 0;
	for (int d = 1; d < 32; d *= 2) {
		__syncwarp();
		a[1 - from][t] = lane >= d ? a[from][t] + a[from][t - d] : a[from][t];
		from = 1 - from;
	}
	if (i < n)
		out[i] = a[from][t];
}

extern "C" cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	odd::look_around(stream), scan_kernel<<<(unsigned)((n + 127) / 128), 128, 0, stream>>>(in, out, n);
	return cudaGetLastError();
}

// Compacts into shared memory first, and copies that to the reserved part of out.
__global__ void compact_kernel(const int *in, int *out, unsigned *count, size_t n)
{
	__shared__ unsigned total[2][256], start;
	__shared__ int kept[2048];
	int items[8], t = threadIdx.x, from = 0;
	unsigned mine = 0;

	for (int k = 0; k < 8; k++) {
		size_t i = (size_t)blockIdx.x * 2048 + k * 256 + t;
		items[k] = i < n ? in[i] : 0;
		mine += items[k] > 0;
	}
	total[0][t] = mine;
	for (int d = 1; d < 256; d *= 2) {
		__syncthreads();
		total[1 - from][t] = total[from][t] + (t >= d ? total[from][t - d] : 0);
		from = 1 - from;
	}
	__syncthreads();
	unsigned all = total[from][255], place = total[from][t] - mine;
	if (t == 0)
		start = atomicAdd(count, all);
	for (int k = 0; k < 8; k++)
		if (items[k] > 0)
			kept[place++] = items[k];
	__syncthreads();
	for (unsigned j = t; j < all; j += 256)
		out[start + j] = kept[j];
}

extern "C" cudaError_t compact_positive(
	const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
	cudaError_t err = cudaMemsetAsync(count, 0, 4, stream);
	if (err != cudaSuccess || n == 0)
		return err;
	odd::look_around(stream), compact_kernel<<<(unsigned)((n + 2047) / 2048), 256, 0, stream>>>(in, out, count, n);
	return cudaGetLastError();
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
