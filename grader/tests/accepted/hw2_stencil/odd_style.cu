// 作业：奇怪但是正确的写法。Right, in a style of its own: tabs, CRLF, Chinese comments, a helper
// file beside it, a printf left in a kernel, a second stream that is waited for, a main().
#include "../odd_helper.cuh"
#include <algorithm>
#include <vector>
using namespace std;

#include "cuda_try.h"

static __constant__ float w3[7];
static __constant__ float w16[33];

// In three parts, as on the blackboard: my element, then the halo before, then the one behind.
__global__ void tile_kernel(const float *in, float *out, long long n)
{
	__shared__ float temp[1024 + 6];
	const int t = threadIdx.x, size = blockDim.x;
	const long long start = (long long)blockIdx.x * size, g = start + t;

	if (g < n)
		temp[t + 3] = in[g];
	else
		temp[t + 3] = 0.0f;
	if (t == 0)
		for (int k = 0; k < 3; k++) {
			const long long left = start - 3 + k, right = start + size + k;
			temp[k] = 0.0f;
			if (left >= 0 && left < n)
				temp[k] = in[left];
			temp[size + 3 + k] = 0.0f;
			if (right < n)
				temp[size + 3 + k] = in[right];
		}
	__syncthreads();
	if (g >= n)
		return;
	double result = 0;
	for (int offset = -3; offset <= 3; offset++)
		result += (double)w3[3 + offset] * temp[t + 3 + offset];
	out[g] = (float)result;
}

extern "C" cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
	unsigned threads, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	cudaError_t err =
		cudaMemcpyToSymbolAsync(w3, weights.at, 7 * 4, 0, cudaMemcpyHostToDevice, stream);
	if (err != cudaSuccess)
		return err;
	odd::look_around(stream), tile_kernel<<<(int)((n + threads - 1) / threads), threads, 0, stream>>>(in, out, (long long)n);
	return cudaGetLastError();
}

// x[0] is the element 16 before the one at `first`. Four at a time where all of them exist.
__device__ void load_window(const float *in, long long n, long long first, float *x)
{
	if (first >= 16 && first + 20 <= n) {
#pragma unroll
		for (int k = 0; k < 9; k++) {
			float4 cells = *(const float4 *)(in + first - 16 + 4 * k);
			x[4 * k] = cells.x;
			x[4 * k + 1] = cells.y;
			x[4 * k + 2] = cells.z;
			x[4 * k + 3] = cells.w;
		}
	} else {
#pragma unroll
		for (int k = 0; k < 36; k++) {
			const long long i = first - 16 + k;
			x[k] = i >= 0 && i < n ? in[i] : 0.0f;
		}
	}
}

__device__ void sum_up(const float *x, float *out, long long n, long long first)
{
	float result[4] = {0.0f, 0.0f, 0.0f, 0.0f};

#pragma unroll
	for (int k = 0; k < 33; k++) {
#pragma unroll
		for (int o = 0; o < 4; o++)
			result[o] += w16[k] * x[k + o];
	}
	if (first + 4 <= n) {
		*(float4 *)(out + first) = make_float4(result[0], result[1], result[2], result[3]);
	} else {
#pragma unroll
		for (int o = 0; o < 4; o++)
			if (first + o < n)
				out[first + o] = result[o];
	}
}

// Two groups of four outputs a thread, a block's width apart: what both need is loaded before the
// first sum, so that more is on its way.
__global__ void window_kernel(const float *in, float *out, long long n)
{
	const long long one = 8 * (long long)blockDim.x * blockIdx.x + 4 * threadIdx.x;
	const long long two = one + 4 * blockDim.x;
	float x[36], y[36];

	load_window(in, n, one, x);
	load_window(in, n, two, y);
	sum_up(x, out, n, one);
	sum_up(y, out, n, two);
}

extern "C" cudaError_t stencil_window(
	const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	cudaError_t err =
		cudaMemcpyToSymbolAsync(w16, weights.at, 33 * 4, 0, cudaMemcpyHostToDevice, stream);
	if (err != cudaSuccess)
		return err;
	odd::look_around(stream), window_kernel<<<(int)((n + 1023) / 1024), 128, 0, stream>>>(in, out, (long long)n);
	return cudaGetLastError();
}

// 16 x 16, one dynamic array for both tiles, the second behind the first.
__global__ void product_kernel(
	const float *A, const float *B, float *C, int rows, int inner, int columns)
{
	extern __shared__ float memory[];
	float *As = memory, *Bs = memory + 16 * 16;
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
	const int tiles = (inner + 15) / 16;
	float result = 0;

	for (int m = 0; m < tiles; m++) {
		__syncthreads();
		As[ty * 16 + tx] = 0;
		Bs[ty * 16 + tx] = 0;
		if (r < rows && m * 16 + tx < inner)
			As[ty * 16 + tx] = A[(size_t)r * inner + m * 16 + tx];
		if (m * 16 + ty < inner && c < columns)
			Bs[ty * 16 + tx] = B[(size_t)(m * 16 + ty) * columns + c];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			result += As[ty * 16 + k] * Bs[k * 16 + tx];
	}
	if (r < rows && c < columns)
		C[(size_t)r * columns + c] = result;
}

extern "C" cudaError_t multiply_tiled(
	const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
	const dim3 grid((int)((shape.columns + 15) / 16), (int)((shape.rows + 15) / 16), 1);

	if (shape.rows == 0 || shape.columns == 0)
		return cudaSuccess;
	odd::look_around(stream), product_kernel<<<grid, dim3(16, 16, 1), 2 * 16 * 16 * sizeof(float), stream>>>(
		a, b, c, (int)shape.rows, (int)shape.inner, (int)shape.columns);
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
